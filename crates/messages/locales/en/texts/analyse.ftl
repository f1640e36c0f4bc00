## conclusions

sentence = { $text }.
both = { $first } and { $last }
either = { $first } or { $last }
from-to = { $low } to { $high }

## conclusions/machine

unknown-processor = A processor of unknown model
of-design = { $model } ({ $design })
cpus = { $n ->
    [one] { $n } CPU
   *[other] { $n } CPUs
    }
cores = { $n ->
    [one] { $n } core
   *[other] { $n } cores
    }
sockets = { $n ->
    [one] { $n } socket
   *[other] { $n } sockets
    }
numa-nodes = { $n ->
    [one] { $n } NUMA node
   *[other] { $n } NUMA nodes
    }
virtual-machine = a virtual machine under { $name }
frequency-at-base = A busy core runs at { $measured }, its base frequency of { $stated }.
frequency-above-base = A busy core runs at { $measured }, { $share } above its base frequency of { $stated }.
frequency-below-base = A busy core runs at { $measured }, { $share } below its base frequency of { $stated }.
frequency-at-maximum = A busy core runs at { $measured }, its maximum frequency of { $stated }.
frequency-above-maximum = A busy core runs at { $measured }, { $share } above its maximum frequency of { $stated }.
frequency-below-maximum = A busy core runs at { $measured }, { $share } below its maximum frequency of { $stated }.
frequency-unstated = A busy core runs at { $measured }; the machine does not state what it should run at.

## conclusions/memory

base-pages = base pages
transparent-huge-pages = transparent huge pages
reserved-huge-pages = reserved huge pages
random-access = A random access to memory on { $pages } costs { $cost }
or-cycles = { $time }, or { $cycles } core cycles
and-cycles = { $time }, { $cycles } cycles
times-cache = { $times } times { $cache } ({ $cost })
latency-unknown = What an access to memory costs is not known: { $why }.
latency-grouped = In an order that spares the TLB it costs { $time }.
latency-largest = A random access to { $size } costs { $time }.
latency-largest-huge = A random access to { $size } of huge pages costs { $time }.
huge-unknown = What huge pages save is not known: the kernel put only { $share } of the buffer on them (free memory, or reserve them: sudo sysctl vm.nr_hugepages=512).
huge-longer = On huge pages a random access to memory takes { $saved } longer than on base pages, which has no good reason: measure it again.
huge-none = Huge pages make no difference to a random access to memory that could be measured.
huge-none-unverified = Huge pages make no difference to a random access to memory that could be measured, if the kernel gave them, which could not be verified.
huge-saves = Huge pages save { $saved } ({ $share }) of each random access to memory.
huge-saves-unverified = Huge pages save { $saved } ({ $share }) of each random access to memory, if the kernel gave them, which could not be verified.
translation = Of a random access to memory on base pages { $cost } ({ $share }) is address translation: keep what is used together within a few pages.
tlb-reach = The { $level } reaches between { $last } and { $next } base pages
tlb-reach-next = the { $level } { $last } and { $next }
backing-small-host = Huge pages are backed by small ones on the host: they shorten page walks and spare none.
backing-small = Huge pages miss the TLB as small ones do, which only a hypervisor or a processor that splits them explains.
backing-huge = Huge pages are real: each takes one entry of the TLB.
first-touch = The first touch of a page costs { $base }.
first-touch-huge = The first touch of a page costs { $base }, of a huge page { $huge }: { $each } for each base page in it.
unmap = Unmapping one costs { $alone }, and { $others } while { $n ->
    [one] { $n } other thread of the program runs
   *[other] { $n } other threads of the program run
    }.
false-sharing = Two threads that count side by side in one line take { $times } times as long as in lines of their own.

## conclusions/next

doubt = Read the numbers with doubt.
invalid = The numbers do not describe this machine.
further-reasons = { $n ->
    [one] There is { $n } further reason
   *[other] There are { $n } further reasons
    }.
cost = Cost: { $cost }.
counted-with = Counted with { $rule }.
more-cases = { $cases } and { $n } more cases
not-measured = Not measured: { $cases }, because { $why }.
failed = Failed: { $cases }, because { $why }.
not-reached = Not reached: { $cases }, because { $why }.
next-resume = Next: cpulens run --resume finishes this record.
next-mend = Next: remove what makes the environment check fail, then cpulens run again.
next-run = Next: cpulens run measures this machine.
next-deeper = Next: cpulens run --depth standard measures more closely; cpulens explain load_latency says how a number was made.
next-other = Next: cpulens run on another machine, or after a change, for a record to hold beside this one.

## conclusions/nodes

loaded-read = While { $n ->
    [one] another core reads
   *[other] { $n } other cores read
    } { $rate } from the same memory, a load takes { $loaded } instead of { $idle }, { $times } times as long
loaded-move = While { $n ->
    [one] another core moves
   *[other] { $n } other cores move
    } { $rate } from the same memory, a load takes { $loaded } instead of { $idle }, { $times } times as long
loaded-knee = up to { $rate } it takes less than { $times } times an idle one
loaded-no-knee = any load makes it more than { $times } times an idle one
numa-far = The farthest memory is node { $far } seen from node { $from }: a load takes { $latency }, { $times } times that of its own memory ({ $own }).
numa-far-bandwidth = The farthest memory is node { $far } seen from node { $from }: a load takes { $latency }, { $times } times that of its own memory ({ $own }), and it gives { $bandwidth }, { $share } of its own.
distances-right = The firmware's distances put the nodes in the measured order.
distances-wrong = The firmware's distances put { $wrong } of { $n ->
    [one] { $n } pair of nodes
   *[other] { $n } pairs of nodes
    } in the wrong order.

## conclusions/os_noise

noise-negligible = OS noise: interrupts, other tasks and the hypervisor take at most { $share } of any CPU.
noise = OS noise: CPU { $cpu } loses { $share }, mostly to { $source } ({ $of-source })
noise-task = of which { $task } had { $share }
noise-least = CPU { $cpu }, the least disturbed, loses { $share }

## conclusions/threads

bandwidth-modes = One core reads { $one } from memory, { $n ->
    [one] { $n } core
   *[other] { $n } cores
    } together { $modes }: no single value.
bandwidth = One core reads { $one } from memory, { $n ->
    [one] { $n } core
   *[other] { $n } cores
    } together { $all }: { $ratio } times as much
bandwidth-enough = so { $n ->
    [one] { $n } core
   *[other] { $n } cores
    } can use it up
bandwidth-one = One core reads { $one } from memory.
bandwidth-all = All cores together read { $all } from memory.
saturate-memory = { $n ->
    [one] { $n } thread{ $noise } saturates
   *[other] { $n } threads{ $noise } saturate
    } memory: with reads { $limit } at most
saturate-node = { $n ->
    [one] { $n } thread{ $noise } saturates
   *[other] { $n } threads{ $noise } saturate
    } the memory of one node: with reads { $limit } at most
saturate-before = of which { $n ->
    [one] { $n } thread
   *[other] { $n } threads
    } get { $share }
threads-noise-between = { " " }(by the noise, between { $fewest } and { $most })
threads-noise-more = { " " }(by the noise, { $fewest } or more)
has-modes = It has { $count } modes, { $modes }: no single value.
at-another-distance = In { $share } of the samples the CPUs were at another distance: then { $level }.
core-to-core = A cache line goes to another CPU and back in { $groups }, over { $n ->
    [one] { $n } pair
   *[other] { $n } pairs
    }.
of-relation = { $range } ({ $relation })
of-relation-as-stated = { $range } ({ $relation }, as stated)
pairs-changed-by-hypervisor = { $n ->
    [one] { $n } pair has
   *[other] { $n } pairs have
    } more than one mode (CPUs { $from } and { $to }: { $levels }), so the hypervisor has probably moved CPUs meanwhile and a median of those means nothing.
pairs-changed-meanwhile = { $n ->
    [one] { $n } pair has
   *[other] { $n } pairs have
    } more than one mode (CPUs { $from } and { $to }: { $levels }), so something changed meanwhile and a median of those means nothing.
pairs-elsewhere = In other placements of the CPUs { $n ->
    [one] { $n } pair
   *[other] { $n } pairs
    } took longer or shorter (CPUs { $from } and { $to }: { $levels }).
limit-steal = What limits this machine most, of what was measured, is the hypervisor's other guests.
limit-quota = What limits this machine most, of what was measured, is the quota of CPU time.
limit-bandwidth = What limits this machine most, of what was measured, is memory bandwidth: with { $cores } cores reading, each gets { $shares } of what it gets alone.
limit-latency = What limits this machine most, of what was measured, is memory latency: a core waits { $cycles } cycles for each load that misses all caches.

## place

choice = { $about } ({ $basis }): { $text }
about-instances = Instances
about-memory = Memory
about-smt = SMT
about-dies = Dies
about-kinds = Kinds of cores
about-devices = Devices
about-interrupts = Interrupts
about-isolation = Isolation
basis-measured = measured
basis-published = from other tools' or published figures
basis-stated = stated, not measured
basis-asked = asked for
basis-assumed = assumed
place-no-cpu-of-node = no CPU of node { $node } may be used
place-on-node = On node { $node } only.
place-irq-heavy-used = Cores that serve many interrupts are used all the same: without them what was asked for does not fit.
within-node = node { $node }
within-part-of-node = node { $node }, { $part }
within-nodes = nodes { $nodes }
within-socket = socket { $socket }
within-sockets = sockets { $sockets }
within-machine = the machine
place-memory-spread-measured = { $access } takes { $own } from the own node and { $mean } as the mean over all nodes, { $times } times as long: instances reach over several nodes, so their memory is interleaved over these.
place-memory-own-measured = { $access } takes { $own } from the own node and { $mean } as the mean over all nodes, { $times } times as long: each instance has its memory on its own node.
a-load = A load
a-load-from-memory = A load from memory
an-element = An element of lmbench's stream
place-memory-unknown = The NUMA nodes are not known, so memory is bound nowhere.
place-memory-one = There is one NUMA node: there is nothing to bind memory to.
place-memory-unmeasured = { $memory }: unbound, { $share } of its accesses may go to another node. What that costs was not measured: cpulens run --only numa_matrix.
place-memory-far-unmeasured = { $memory }: unbound, { $share } of its accesses may go to another node, stated to be up to { $distance } away (own: 10). What that costs was not measured: cpulens run --only numa_matrix.
memory-interleaved = Instances reach over several nodes; their memory is interleaved over these
memory-on-own-node = Each instance has its memory on its own node
place-cpuless = Node { $node } has memory and no CPUs: nothing runs there, and nothing is bound to it; bind to it by hand what may be slow.
place-borrowed = Node { $node } has no memory that may be used here, the nearest is node { $near }
place-virtual = this is a virtual machine ({ $name }): its CPUs are where its host lets them run
place-virtual-do = pin them on the host (virsh vcpupin), or choose an instance with CPUs of its own
place-quota = a quota leaves { $quota } CPUs of time, and { $n ->
    [one] { $n } CPU
   *[other] { $n } CPUs
    } were placed
place-quota-do = cpu.max of the cgroup (docker --cpus), or fewer cores

## place/allot

place-one-core-at-least = an instance has one core at least, and there is one at least
place-instances-asked = { $n ->
    [one] { $n } instance
   *[other] { $n } instances
    } with { $cores ->
    [one] { $cores } core
   *[other] { $cores } cores
    } each.
place-instances-largest = { $n ->
    [one] { $n } instance
   *[other] { $n } instances
    } were asked for: each has { $cores ->
    [one] { $cores } core
   *[other] { $cores } cores
    }, as many as all can have alike.
place-instances-fit = { $cores ->
    [one] { $cores } core
   *[other] { $cores } cores
    } were asked for each: { $n ->
    [one] { $n } instance
   *[other] { $n } instances
    } fit without one reaching over more than it must.
place-too-many = { $n ->
    [one] { $n } instance
   *[other] { $n } instances
    } with { $cores ->
    [one] { $cores } core
   *[other] { $cores } cores
    } each do not fit: there are { $all ->
    [one] { $all } core
   *[other] { $all } cores
    } to choose from
place-too-many-do = fewer --instances, or fewer --cores-per-instance
place-each-socket = One for each socket: { $n }.
place-each-node = One for each node: { $n }.
place-each-die = One for each die or last-level cache: { $n }.
place-each-core = One for each core: { $n }.
place-auto-nodes = One for each of { $n ->
    [one] { $n } node
   *[other] { $n } nodes
    } with CPUs, so that each has near memory.
place-auto-alike = One for each of { $n ->
    [one] { $n } socket
   *[other] { $n } sockets
    }: memory takes the same time from every node, but lines that cores share do not.
place-auto-hidden = One for each of { $n ->
    [one] { $n } socket
   *[other] { $n } sockets
    }, though they share one NUMA node: memory cannot be bound, but lines that cores share stay on a socket.
place-auto-machine-alike = One for the machine: memory takes the same time from every node.
place-auto-machine-sockets = One for the machine: it has one NUMA node, and which CPUs are on which of its { $sockets } sockets is not in this record.
place-auto-machine = One for the machine: it has one socket and one NUMA node.

## place/cores

place-kinds = The { $kind } cores come first, { $others } cores only where those do not suffice; no instance has both unless it must.
place-dies-as-stated = A cache line goes there and back in { $within } inside groups of CPUs and in { $between } between them, as stated ({ $relation }): an instance stays inside one where it fits.
place-dies-unstated = A cache line goes there and back in { $within } inside groups of CPUs and in { $between } between them, which the machine does not state: an instance stays inside one where it fits.
place-near-measured = CPUs { $cpus }, near each other as measured
place-dies-stated = The CPUs of { $n ->
    [one] { $n } group
   *[other] { $n } groups
    } are near each other by what the machine states (last-level caches or dies): an instance stays inside one where it fits. The way between cores was not measured: cpulens run --only core_to_core.
cache-of-cpus = L{ $level } of CPUs { $cpus }
die-of-cpus = die { $die } of CPUs { $cpus }

## place/devices

place-no-devices = no PCI devices are known here
place-devices-known = known are: { $known }
place-no-device = there is no device { $asked }
place-device-no-node = the machine does not state the NUMA node of { $asked }: guests and machines with one node do not
place-device-nodes = { $asked } is on several nodes
place-device-name-one = name one: { $all }
device-on-node = { $device } on node { $node }
devices-and-others = { $devices } and { $n ->
    [one] { $n } other
   *[other] { $n } others
    }
devices-no-instance = { $devices } { $n ->
    [one] is
   *[other] are
    } on node { $node }: no instance is there.
devices-one-instance = { $devices } { $n ->
    [one] is
   *[other] are
    } on node { $node }: put what uses it on instance { $instance }.
devices-instances = { $devices } { $n ->
    [one] is
   *[other] are
    } on node { $node }: put what uses it on instances { $instances }.

## place/eligible

why-cpus = the CPUs are not known
place-until-then = on the machine: cpulens place; until then one process for each of its { $sockets } sockets, if each is a NUMA node: numactl --cpunodebind=N --membind=N COMMAND, N from 0 to { $last }
place-import = on that machine: cpulens place; or import what lscpu or lstopo prints there
place-mount-sys = mount /sys, or take the record of another run
place-offline = They are offline.
place-outside = They are outside the affinity mask or cpuset that the record was made in.
place-all-isolated = All CPUs that may be used are isolated from the scheduler, so they are used: bind each thread of a program to a CPU of its own, for nothing spreads them there.
place-isolated = They are isolated from the scheduler (isolcpus) and left to what they were isolated for.
place-no-cpu = no CPU may be used
place-look-at-cpuset = look at the cpuset: cat /sys/fs/cgroup/cpuset.cpus.effective, and taskset -pc $$
place-irq-default = New interrupts go to them (/proc/irq/default_smp_affinity).
place-irq-only = The interrupts of all devices may go to them only (/proc/irq/*/smp_affinity_list).
place-irq-sent = Devices' interrupts are sent to CPU { $cpus }; how many is not known from this record, so none was avoided for it.
place-irq-unknown = Which CPUs serve interrupts is not known from this record, so none was avoided for it.
place-since-boot-or = since boot or while detours were watched
place-while-watched = while detours were watched
place-since-boot = since boot
place-irq-few-cores = Devices interrupt the busiest core { $rate } times a second { $when }: there are too few cores to give one up for it.
place-irq-spread = Devices interrupt the busiest core { $rate } times a second { $when }: they are spread, so no core is left to them alone.
place-irq-little = Devices interrupt the busiest core { $rate } times a second { $when }: that is little, so no core is avoided for it.
place-irq-heavy = Devices interrupt { $n ->
    [one] this core
   *[other] each of these cores
    } { $least } times a second and more { $when }, the mean core { $mean } times.
place-left-to-interrupts = { $n ->
    [one] { $n } core ({ $cpus }) is
   *[other] { $n } cores ({ $cpus }) are
    } left to interrupts. { $why }

## place/smt

place-no-core-sharing = each core has more than one thread, and this record does not say which CPUs share a core
place-import-lscpu = import lscpu -e or lscpu -p of that machine with it, or cpulens capture there
place-import-lscpu-or-node = import lscpu -e or lscpu -p of that machine with it, or cpulens capture there; or --per node
place-no-sibling = No CPU has a sibling thread, as far as this record says.
place-halves-assumed = Which CPUs share a core is not in this record. Of each node the first half of its CPUs and the second are taken as sibling threads, in order, as Linux numbers them: check with lscpu -e.
place-neighbours-assumed = Which CPUs share a core is not in this record. CPUs of neighbouring numbers, as 0 and 1, are taken as sibling threads, as is usual in guests and where each node has one range: check with lscpu -e.
place-all-threads = All threads of each core.
place-all-threads-measured = All threads of each core: { $workload } did { $times } times as much on { $step } as on { $with }.
place-one-thread = One thread of each core.
place-one-thread-measured = One thread of each core: { $workload } did { $times } times as much on { $step } as on { $with }.
place-all-threads-assumed = All threads of each core, which most programs gain from; what it is worth to yours: cpulens scale -- COMMAND.

## place/sockets

place-sockets-by-nodes = Which CPUs are in which socket is taken from the NUMA nodes: { $n ->
    [one] { $n } node
   *[other] { $n } nodes
    } in each.
place-sockets-unknown = this record does not say which CPUs are in which socket

## summary

stat-of = perf stat { $figure }
misses-llc = last-level cache misses
misses-cache = cache misses
misses-l1 = L1 data cache misses
misses-tlb = data TLB misses
misses-branch = branch misses
node-to-node = from node { $from } to node { $to }
cpu-to-cpu = from CPU { $from } to CPU { $to }
million-elements = { $n } million elements
primes-to = primes to { $n }
memory-of-node = memory of node { $node }
from-node = from node { $node }
megahertz-set = { $n } MHz set
stride = stride { $size }
tlb-locality = TLB locality { $size }
one-copy = one copy
one-thread = one thread
all-threads = all threads
system-wide = system-wide
all-programs = all programs
scope-not-printed = scope not printed
of-program = program { $verbatim-command }
memory-errors = { $corrected } corrected, { $rest } not
mitigations = { $on } at work, { $aside } do not apply
vulnerable = Vulnerable: { $verbatim-names }
channels = { $filled }/{ $all } channels
several = { $n } x { $item }
runs-at = { $module } (runs at { $rate } MT/s)
