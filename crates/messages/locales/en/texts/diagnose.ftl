## cost

on-scaling-run = The interval (95 %) of this workload's loss on the scaling run.
less-work = { $high } less work
less-work-range = { $low } to { $high } less work

## cycles

cycles-unexplained = { $workload } needs { $cycles } times the cycles for an instruction; whether memory latency is why cannot be determined without a load's time on both (cpulens run --only load_latency).
cycles-by-latency = { $workload } needs { $cycles } times the cycles for an instruction, and a load from memory takes { $loads } times the cycles: memory latency can be why, and by no more than that. cpulens stat on both tells how long it waits.
cycles-not-by-latency = { $workload } needs { $cycles } times the cycles for an instruction, and a load from memory { $loads } times the cycles: memory latency does not explain it.
runs-differ-too = The runs differ in { $software } as well, so nothing is attributed.

## system

against-no-setting = no setting that the records tell
control-moved = dhry2reg, which asks nothing of the kernel, is among them: look at the frequency before a setting is blamed.
control-same = dhry2reg, which asks nothing of the kernel, is the same on both.
settings-differ = The processor and the system are the same ({ $system }), and its settings are not
systems-differ = The processor is the same and the system is not ({ $own } and { $other })
system-times = { $between }: { $verbatim-case } is { $low } to { $high } times the other's, beyond noise.
system-times-and-more = { $between }: { $verbatim-case } is { $low } to { $high } times the other's (and { $n } more), beyond noise.
change-one-at-a-time = Different between the systems: { $settings }. Change one at a time; a library or server of another version cannot be separated from the kernel.
frequency-higher = Its frequency is { $share } higher.
frequency-lower = Its frequency is { $share } lower.
frequency-same = Both run at the same frequency.
differs = { $name } ({ $own } and { $other })

## against

against-remote = remote share of an unbound program's accesses
against-own = access to the own node's memory
against-mean = mean access of an unbound program
against-module = slowest module
against-none = Both records have no workload in common, so what they do cannot be set against each other: run cpulens scale -- COMMAND on both.
against-unknown-share = an unknown share
against-each = With { $name } it does { $other } times what the other does, with { $cpus } times the CPUs: each does { $each } of the work of one of the other's.
against-change-modules = modules ({ $before } to { $after }, up to { $ratio } times where bandwidth limits)
against-gain = The same machine does { $gain } times as much with { $name }.
against-unchanged = Nothing that the records tell was changed between them.
against-one-change = One thing was changed: { $one }.
against-modules = Its memory runs at { $own } against { $other }: up to { $ratio } times the bandwidth on the other, where bandwidth is used up.
loads-longer = An unbound program has { $share } of its accesses on other nodes and waits { $own } for a load on average, on the other machine { $their-share } and { $theirs }: { $times } times as long.
loads-shorter = An unbound program has { $share } of its accesses on other nodes and waits { $own } for a load on average, on the other machine { $their-share } and { $theirs }: { $times } times as long, so memory latency speaks for this machine.
loads-alike = An unbound program has { $share } of its accesses on other nodes and waits { $own } for a load on average, on the other machine { $their-share } and { $theirs }: the same within 5 %.
not-by-latency = Memory latency does not explain it.
loads-explain-part = Of the { $times } times between them longer loads explain { $latency } times at most, by a program that waits for nothing else; { $rest } times remain, which latency alone does not explain: slower modules, fewer channels for each core, locks, or a client that does not ask for more.
loads-explain-all = Of the { $times } times between them longer loads explain { $latency } times at most, by a program that waits for nothing else; nothing remains to be explained.
placement-changed = placement ({ $from } to { $to })
placement-changed-from-one-socket = placement ({ $from } to { $to }, up to { $times } times where one of { $sockets } did all that was done)
several-changes = { $n } things were changed at once, so the gain is theirs together and cannot be divided between them: { $others } and { $last }. Measure them apart: each of them alone, the other as it was before.

## systems

systems-sysbench-cpu = Under { $other } sysbench cpu takes { $times } times as long as under { $one } on the same machine. It asks nothing of memory; whether the kernel, a library or the frequency does it cannot be separated.

## workload

kind-db = A database walks trees in memory, shares them between threads, and talks to clients and disks.
kind-web = A web server mostly moves small messages through the kernel.
kind-compute = A computation keeps its CPUs busy and streams through memory.
kind-fork = Builds and shell scripts start processes all the time.
kind-counted = the counted run
kind-counted-why = What limits the counted run: { $limiter }.

## diagnosis

note-little = It costs less than 2 %, which runs of one machine differ by.

## caches

why-noisy-lines = too noisy: others took { $taken } of the CPUs while lines were timed
again-attempts = measure again while nothing else runs
why-no-two-cpus = no two CPUs that were measured are stated to share a last-level cache
do-more-cpus = allow more CPUs: --cpus, or a wider cpuset
why-noisy-loads = too noisy: others had the CPUs while loads were timed
why-llc-or-memory = the size of the last-level cache, or the latency of memory, is not known
reach = a load on { $pages }, { $order }, takes less than half of one from memory up to { $inside }
reach-and-beyond = a load on { $pages }, { $order }, takes less than half of one from memory up to { $inside }, and more from { $outside } on
line-round-trips = a line there and back = { $low } to { $high }, looked at { $n ->
    [one] 1 time
   *[other] { $n } times
}

## machine

why-not-word = { $name } is not a word
why-not-number = { $name } is not a number
why-dimms = the memory modules are not described
do-root = run as root
why-devices = no PCI devices are described
why-nodes-cpus = which CPUs each NUMA node has is not known
why-nodes = the NUMA nodes are not known
why-sockets = the sockets are not known
why-cpus = the CPUs are not known
why-cores = the cores are not known
nodes-not-listed = the NUMA nodes are not listed
look-on-host = look on the host: { $command }
modules-in-slots = { $modules } in { $slots }

## modules

why-no-speeds = firmware states no rated and configured speed for any module
why-no-module-speed = the speed at which the modules run is not known
do-root-firmware = run as root, where firmware states it
no-speed = no speed
memory-of-cpu = memory of this CPU: { $speed }, { $channels } a socket ({ $source })
modules-rated = memory modules at { $configured }, rated at { $rated }
modules-replaced = memory modules at { $configured }, those that replaced them at { $replaced }

## readings

why-unwatched = no case was watched for { $name }

## workloads

why-no-siblings = no step of the scaling run has sibling threads
do-siblings = cpulens scale --cpus with both threads of a core, where SMT is on
does-what = { $step } does { $ratio } what { $with } does
why-no-both-ways = no scaling run was done both pinned and unpinned
unpinned-on = { $ratio } as much unpinned on { $step }
why-no-program = no program was counted
counted-run = counted run: { $limiter }
why-no-unixbench = UnixBench's tests were not run
knee = a load costs 1.5 times an idle one from { $knee } on
why-few-reference-samples = the reference sample was taken fewer than twice
do-more-than-one = measure more than one case in a run
moved = over { $samples } these moved: { $resources }
why-no-operations = the reference samples do not count operations per cycle
additions = { $delivered } of { $can } additions per cycle over { $window }, { $share } of them slow
load-over = a load over { $size } = { $load } ({ $name })
load-from-memory = a load from memory = { $seconds } ({ $name })
base-pages = base pages
huge-pages = huge pages
load-memory-both-orders = a load from memory = { $load } (huge pages), { $none } (no TLB misses)
no-working-set-both = no working set beyond the caches was measured in both orders
do-free-memory = free memory on this node, then cpulens run --only load_latency
load-both-orders = a load over { $size } = { $load } (huge pages), { $none } (no TLB misses)
do-free-or-madvise = free memory, or echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled
why-no-memory-test = no test of memory was run, or the size of the last-level cache is not known
smallest-buffer = the smallest buffer is { $least } times the last-level cache
counters-of = counters of { $label }
counters-fit = the counted programs' cycles fit their time
why-no-counters = no counters of a program are in this record
others = others = { $low } to { $high } of the CPUs { $watched }
gain-and-ipc = { $gain }. { $ipc }
workload-unpinned = { $workload }: { $ratio } unpinned
moved-by = { $resource } by { $share }
no-such-pages = the kernel gave no { $pages } for the test's memory

## evidence

measure-that-machine = measure that machine with cpulens run
why-no-figure = no figure of this record says
why-some-nodes = bandwidth was measured on some of the NUMA nodes only
do-all-nodes = cpulens run --only bandwidth, without --cpus and --nodes
why-no-scaling = no workload was run on more and more cores
why-caches = the machine's dies and last-level caches are not known
node-has = node { $node } has { $caches }
irq-uneven-unknown = interrupts by CPU, or for how long they were counted, are not known
irq-uneven-proc = mount /proc, and run outside of a container
why-translation = what translation adds to a load was not measured, or it adds nothing
huge-pages-real = huge pages are real
huge-pages-split = huge pages miss the TLB as small ones do
why-numa-buffers = the buffers of numa_matrix were too small: caches answered too
do-numa-buffers = free memory on the nodes, or raise the limit, then cpulens run --only numa_matrix
evidence-median = { $verbatim-metric } = { $value } ({ $case }, median of { $samples })
idle-latency-of-nodes = idle_latency = { $low } to { $high } (numa_matrix, { $pairs } of nodes)
latency-of-nodes = latency = { $low } to { $high } ({ $pairs } of nodes)
element-time-of-nodes = time of an element of lmbench's stream = { $low } to { $high } ({ $pairs } of nodes)
round-trip-median = round_trip = { $median } ({ $relation }, median of { $pairs })
what-by-source = { $what } ({ $verbatim-source })
do-import-modules = cpulens import with dmidecode or lshw of it
do-import-topology = cpulens import with lscpu, numactl --hardware and lstopo of it
limit-from = { $limit } from { $threads } on
channels-at = { $channels } at { $transfers }
stated-base = base frequency = { $frequency }
stated-maximum = maximum frequency = { $frequency }
a-core-copies = A core copies
cores-of-a-node-read = The cores of a node read

## proof

copy-unpinned = 1 copy, unpinned
copy-pinned = 1 copy, pinned
proof-few = fewer than four repeats on a side are no comparison
proof-ended = Ended early, after these runs: { $why }.
proof-undetermined = No comparison of { $with } and { $without }: { $why }.
proof-faster = Pinning makes this program { $share } faster.
proof-slower = Pinning makes this program { $share } slower. Leave it to the scheduler.
proof-none = Pinning makes no significant difference to this program.
proof-divided = Of the { $all } times, more copies alone give { $one } times and pinning { $two } times.
copies-unpinned = { $copies }, unpinned
copies-pinned = { $copies }, pinned
proof-ratio = { $with }: { $ratio } times the rate of { $without } (95 % CI { $low } to { $high }).
proof-ratio-noise = { $with }: { $ratio } times the rate of { $without } (95 % CI { $low } to { $high }), no significant difference.

## bandwidth-below-channels

below-channels = Memory bandwidth is far below its channels
below-channels-slots = the slot names do not give the channel of each module
below-channels-manual = look at the board's manual, and compare with the bandwidth section
below-channels-contradict = the reads of all CPUs and those over the number of threads contradict each other
below-channels-again = cpulens run --only bandwidth,bandwidth_scaling, while nothing else runs
below-channels-claim = All CPUs together read { $reads }, which is { $share } of the { $peak } that { $channels } channels at { $transfers } could deliver. From { $threads } threads on, more threads read no more.
below-channels-advice = Check in the firmware setup that all channels are in use and interleaved. Check in the processor's data sheet how much its memory links carry.
below-channels-confirm = sudo dmidecode -t memory | grep -E 'Locator|Size|Configured', and a read test of another tool on all cores, such as likwid-bench -t load -w N:8GB
below-channels-cost = From nothing, where bandwidth is not saturated, to the 70 % of the theoretical that servers with all channels reach.

## bandwidth-saturated

saturated = A few cores saturate memory bandwidth
saturated-note = The machine is built so, and programs that do not stream lose nothing.
saturated-advice = Give a streaming program no more threads per node than that, spread it over the nodes, and run computations beside it.
saturated-confirm = cpulens run --only bandwidth_scaling, while nothing else runs: not confirmed if twice as many threads read more
saturated-cost = Share of the CPU time on all cores: from nothing, for a program in the caches, to all cores beyond that number, for one that only streams.
saturated-unmeasured = reads over the number of cores of a node were not measured
saturated-claim = { $most ->
    [one] 1 core of the { $cores } of a node saturates
   *[other] { $most } cores of the { $cores } of a node saturate
} its memory at { $limit } of reads. More cores read no more.
saturated-knee = From { $knee } on, loads take 1.5 times as long.
saturated-rise = reads still rise with the last of { $cores ->
    [one] 1 core
   *[other] { $cores } cores
}

## cache-partitioned

partitioned = Programs may use only a part of a cache
smaller-cache = only a program whose data no longer fit loses by a smaller cache
partitioned-claim = Programs in the default class may use { $fewest } of { $ways } ways of an { $level }. Their cache is smaller in proportion.
partitioned-advice = If no other group in /sys/fs/resctrl needs the rest, write the full mask to /sys/fs/resctrl/schemata.
partitioned-confirm = cpulens run --only load_latency: not confirmed if the curve leaves that level at its stated capacity
partitioned-gain = cpulens run --only cache_allocation measures the gain of each way
partitioned-none = { $verbatim-fact } names no ways of a cache

## cache-share-small

share = A core has a small part of the last-level cache
share-note = Only programs whose data fit the stated cache but not the available part lose.
share-again = cpulens run --only load_latency --depth standard, while nothing else runs
share-moment = one latency curve shows one moment only
share-noise = noise hides where the latency curves leave the cache
share-neighbours = neighbours on the host use the rest, or the hypervisor ({ $name }) allocates only some ways to this machine
share-instance = choose an instance with whole dies or a dedicated host if more cache is worth the price
share-reserved = some ways are reserved (resctrl, firmware), other cores fill it, or the stated size is that of several caches
share-advice = Size blocks and batches by the measured cache and not by the stated one; { $advice }.
share-confirm = cpulens run --only load_latency: not confirmed if with half of the stated size a load takes less than half of one from memory
share-misses = cpulens stat -- COMMAND counts the loads that miss the last level
share-some = { $some } of { $all } curves leave the cache within half of its stated size, and the others do not: other programs use it at times
share-look = look for partitions (mount -t resctrl resctrl /sys/fs/resctrl; cat /sys/fs/resctrl/schemata) and for other programs on the cores that share it
share-claim = In each of { $curves } curves a working set of { $inside } still fits the caches of a core and one of { $outside } does not, although the stated last-level cache has { $stated }: { $why }.

## channels-unbalanced

channels = Memory is spread unevenly
channels-no-size = firmware states the size of no memory module
channels-modules-whole = Memory modules have different sizes, from { $small } to { $large }: part of the memory is not interleaved over all channels.
channels-nodes-whole = NUMA nodes have different sizes, from { $least } to { $most }: they hold different numbers of equal modules.
channels-only = Only { $filled } of { $all } memory channels hold a module. The bandwidth of the others is missing.
channels-advice = Fill the channels of every socket with equal modules, in the slots that the board's manual names first.
channels-firmware = the firmware decides over how many channels each part of memory is interleaved
channels-after = cpulens run --only bandwidth, after the change
channels-cost = From nothing, where bandwidth is not saturated, to the share of empty channels.
channels-confirm = sudo dmidecode -t memory | grep -E 'Locator|Size', and numactl --hardware

## core-shared

core = Another thread had a part of the core
core-rent = Rent whole cores: a dedicated host, or an instance type that shares none. On the host, pin each virtual CPU to a core of its own (virsh vcpupin).
core-move = Move other programs off the sibling thread (taskset, cpuset.cpus), or use one thread of each core.
core-claim = Another thread had a part of the core in { $share } of the run: { $delivered } of { $can } additions per cycle were delivered.
core-confirm = cpulens run again: not confirmed if the reference samples keep their operations per cycle
core-cost = From nothing, for dependent operations, to what independent additions lost over the run.

## counters-of-others

counters = Counters are not those of the program
validity-slows-none = it is about the validity of figures and slows no program down
counters-claim = The counters of { $name } cover more than the program: { $why }.
counters-advice = Exclude its IPC and misses from comparisons, and count the program alone.
counters-confirm = cpulens stat -- COMMAND, or perf stat without -a and -C: not confirmed if cycles over CPU time are still above the core's frequency

## cpu-contention

contention = Other programs use the CPUs
contention-advice = Find them (top, systemd-cgtop) and stop them, move them to another machine, or give them CPUs of their own (cpuset.cpus) and a share (cpu.weight).
contention-confirm = vmstat 1 while your program does not run: not confirmed if us and sy stay near 0
contention-cost = From nothing, for a program that leaves as many CPUs idle, to all the CPU time that they used.
contention-claim-cpus = Other programs used up to { $share } of the CPUs { $when }, { $cpus } CPUs' worth. They share CPUs, caches and memory with the measurement.
contention-claim = Other programs used up to { $share } of the CPUs { $when }. They share CPUs, caches and memory with the measurement.

## cpu-quota

quota = A CPU quota is below the number of CPUs
quota-claim = A quota allows { $quota } CPUs' worth of time; visible CPUs: { $usable }. With more running threads than that the kernel throttles all of them.
quota-advice = Raise the quota, which is cpu.max of the cgroup, --cpus of docker run and limits.cpu of Kubernetes, or run fewer threads.
quota-confirm = cat /sys/fs/cgroup/cpu.stat: not confirmed if nr_throttled stays still under load
quota-cost = From nothing, with no more threads than the quota, to the share of all CPUs that the quota withholds.

## cpuset-smaller

cpuset = A cpuset allows fewer CPUs than are online
cpuset-advice = Widen cpuset.cpus of the cgroup (docker --cpuset-cpus), or set the number of threads (OMP_NUM_THREADS, GOMAXPROCS, worker_processes).
cpuset-confirm = cat /sys/fs/cgroup/cpuset.cpus.effective, and nproc --all
cpuset-cost = From nothing, for a program with no more threads than allowed CPUs, to the share of excluded CPUs.
cpuset-claim = A cpuset allows { $left } of { $online } online. Programs that start a thread for each CPU start too many.

## die-interleaving

dies = Memory is interleaved over the dies of a socket
dies-advice = If programs are bound to nodes, switch die interleaving off in the firmware setup, so that each die is a node. Leave it on for programs that cannot be bound.
dies-confirm = cpulens run --only numa_matrix --per-cpu --depth standard, after the change: not confirmed if the own node is no nearer
dies-cost = From nothing, for a program in the caches, to the difference between 153 ns interleaved and 107 ns of the own die, published of a Hygon 7280.
why-nodes-socket = which NUMA nodes are of one socket is not known
dies-own = Local memory of node { $node } takes { $latency }, no less than that of node { $other } in the same socket ({ $other-latency }). The dies are interleaved, or the nodes are not real.
dies-no-two = no two nodes of one socket were measured
dies-all-nodes = cpulens run --only numa_matrix, without --nodes and --cpus
dies-no-node = no node has both CPUs and memory
dies-apart = the { $dies } dies or caches of a node were not measured separately
dies-setup = look in the firmware's setup (die interleaving, nodes per socket)
dies-stated = nodes and caches are stated by the hypervisor ({ $name }) and need not be real
dies-same-time = all { $caches } caches reach the memory of node { $node } in the same time ({ $low } to { $high }): either they share a memory controller, or the memory is interleaved over them
dies-claim-caches = All { $caches } caches of node { $node } reach its memory in the same time, { $low } to { $high }: it is interleaved over dies with memory controllers of their own, so no core has near memory.
dies-claim-cpus = All { $cpus } measured CPUs of node { $node } reach its memory in the same time, { $low } to { $high }: it is interleaved over dies with memory controllers of their own, so no core has near memory.

## dimm-below-rating

dimm = Memory modules run below their rating
dimms-unstated = The limit of this CPU is not known, and nothing else shows a loss.
dimm-replaced = The memory modules run at { $configured }; those that replaced them ran at { $replaced } in the same machine: { $lost } of that bandwidth is not used.
dimm-fit = Fit modules that run at { $rated }, or set that speed in the firmware setup where these are rated for it.
dimm-cost = Bandwidth is proportional to transfers per second. A program that does not saturate it loses little.
dimm-only = The only memory module whose speeds are known runs at { $configured } instead of { $rated }
dimm-slowest = { $slow } of { $known } memory modules run below their rating, the slowest at { $configured } instead of { $rated }
dimm-claim-possible = { $modules }. The CPU allows { $possible }: { $lost } of that bandwidth is not used.
dimm-claim = { $modules }: { $lost } of its bandwidth is not used.

## flat-beyond-socket

flat = More sockets add nothing to a workload
flat-read-workload = { $workload }: { $all } does { $low } to { $high } times what { $one } does, CPUs used to { $full }
flat-claim = Throughput of { $workload } with { $all } ({ $all-threads }) is no higher than with { $one } ({ $one-threads }), although its CPUs are { $full } busy. Most of the { $sockets } sockets wait for memory or for a shared resource.
flat-unrun = no workload was run on one socket and on all, four times each
flat-confirm = cpulens spread --per socket --prove -- COMMAND: not confirmed if placement makes no difference
flat-cost = From nothing, if the shared resource cannot be divided, to all the CPUs that add nothing now.
flat-advice = Run { $sockets } processes, each bound to one socket with its memory there, and divide the work between them.
flat-stated-busy = Throughput of { $workload } with all { $all } CPUs is no higher than with { $few }, although its CPUs are { $busy } busy. Most of the { $sockets } sockets wait for memory or for a shared resource.
flat-stated = Throughput of { $workload } with all { $all } CPUs is no higher than with { $few }. Most of the { $sockets } sockets wait for memory or for a shared resource.
flat-remedied = Together these changes made it do { $times } times as much: { $changes }. They were not measured apart.

## footprint-in-cache

footprint = A memory test partly fits the cache
footprint-note = It is about the validity of figures, and slows no program down. Some tests have this size by definition.
footprint-claim = The figures of { $probes } are not those of memory: { $probe } used { $size }, { $times } times the last-level cache. Four times are needed.
footprint-compare-same = Compare these figures only with published ones of the same command and processor: the command usually runs with this size. The probes bandwidth and stream measure memory.
footprint-compare-none = Do not compare these figures with those of another processor. Free memory for larger buffers (at most half of a node's free memory is used), or raise the cgroup's limit.
footprint-confirm = cpulens run --only load_latency --depth standard: not confirmed if the curve is flat from that size on

## frequency-above-stated

above = The core frequency is above the stated top frequency
above-cost = a higher frequency costs no time
above-note = Nothing is slower by it; only the stated frequency is wrong.
above-none = the stated top frequency is no frequency
above-claim = One busy core runs at { $frequency }, { $share } above the top frequency of { $stated } that the machine states.
above-advice = Count with the measured frequency. Look up the boost frequency in the vendor's specification of the CPU model. On a machine of your own check for overclocking in the firmware setup.
above-confirm = sudo turbostat --show Busy%,Bzy_MHz, with one busy core, and cat /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq

## frequency-below-boost

below = The core frequency is below the stated frequency
below-advice = Check in this order: the governor, a cpufreq limit (scaling_max_freq), boost switched off, power limits, heat. In a virtual machine ask the host.
below-confirm = sudo turbostat --show Busy%,Bzy_MHz,PkgTmp,PkgWatt, with one busy core
below-cost = From nothing, for a memory-bound program, to the whole difference, for one that computes.
below-base = One busy core runs at { $frequency }, { $share } below the base frequency of { $stated }.
below-maximum = One busy core runs at { $frequency }, { $share } below the maximum frequency of { $stated }.

## governor-slows

governor = The frequency governor limits the frequency
governor-claim = The governor is '{ $governor }', and a busy core runs at { $frequency } of the stated { $stated }: { $share } of its frequency is not used.
governor-advice = Set the governor to performance: sudo cpupower frequency-set -g performance, and measure again.
governor-confirm = cpulens run --only core_frequency, with the governor performance: not confirmed if the frequency is the same
governor-cost = From nothing, if power or heat limit the frequency, to the whole difference to the stated frequency.

## hardware-errors

errors = The hardware reported errors during the run
errors-cost = it is about the validity of figures and of data, not about speed
errors-claim = While the cases ran, the hardware reported { $seen }.
errors-advice = Find the module (memory.errors.modules in cpulens info, rasdaemon, the BMC's log), reseat or replace it, and measure again: the numbers may hold the time of the corrections.
errors-confirm = grep . /sys/devices/system/edac/mc/mc*/?e_count; grep MCE: /proc/interrupts: not confirmed if the counts stay as they are
errors-corrected = { $n ->
    [one] 1 corrected memory error
   *[other] { $n } corrected memory errors
}
errors-uncorrected = { $n ->
    [one] 1 uncorrected memory error
   *[other] { $n } uncorrected memory errors
}
machine-checks = { $n ->
    [one] 1 machine check
   *[other] { $n } machine checks
}

## heat-throttles

heat = Heat throttles the processor
heat-claim = The processor throttled for heat { $times } times since boot, and under load on all CPUs its frequency falls from { $from } to { $to } ({ $share }).
heat-advice = Check the cooling: dust, fans and their profile, the inlet air of the rack, the thermal paste.
heat-confirm = sudo turbostat --show Bzy_MHz,PkgTmp for a minute of full load, and cat /sys/devices/system/cpu/cpu0/thermal_throttle/*count: not confirmed if the counts do not grow
heat-cost = From nothing, for bursts shorter than a second, to the whole fall of the frequency under load.
heat-unmeasured = the frequency was not measured over some seconds of full load

## host-pages-small

host-pages-title = The host backs huge pages with small ones
host-pages-advice = Choose an instance type whose hosts use huge pages, or keep what is used together within a few pages. On the host, back the guest with huge pages (libvirt: memoryBacking hugepages; QEMU: memory-backend-file on hugetlbfs; Firecracker: huge_pages 2M).
host-pages-verify = cpulens run --only tlb_reach,load_latency: not confirmed if huge pages are real
host-pages-cost = From nothing, within the TLB reach, to all that translation adds to a random load on huge pages: an upper bound, for the order without misses may also keep rows of memory open.
host-pages-claim-over = Huge pages miss the TLB as small ones do: the host maps this guest's memory in small pages. A random load over { $size } of huge pages takes { $load }, of which up to { $share } is address translation.
host-pages-claim = Huge pages miss the TLB as small ones do: the host maps this guest's memory in small pages. A random load from memory on huge pages takes { $load }, of which up to { $share } is address translation.

## interrupts-remote

irq-remote = A device's interrupts go to another NUMA node
irq-remote-cost = what it costs depends on the device's traffic, which is not measured
irq-remote-measure = measure the program with the interrupts on either node
irq-remote-unknown = no device states both its node and where its interrupts go
irq-remote-root = run as root, outside of a container
irq-remote-advice = Send them to CPUs of node { $node } (/proc/irq/*/smp_affinity_list, irqbalance with its hints, the vendor's script), and run there what uses the device: cpulens place --near { $address }.
irq-remote-claim = { $device } is on node { $node }, and its interrupts go to CPUs { $cpus } of other nodes.
same-of-other-devices = The same holds for { $n ->
    [one] 1 other device
   *[other] { $n } other devices
}.

## interrupts-uneven

irq-uneven = A few CPUs serve most interrupts
irq-uneven-read = device interrupts: { $most } a second on the busiest CPU, { $mean } on average
irq-uneven-claim = Devices interrupt CPUs { $cpus } up to { $most } times a second since boot, the mean CPU { $mean } times. Programs pinned there are delayed.
irq-uneven-advice = Keep pinned programs off them (cpulens place does), or spread the interrupts: more queues of the device, irqbalance, /proc/irq/*/smp_affinity_list.
irq-uneven-confirm = watch -d cat /proc/interrupts: not confirmed if their columns grow no faster than others
irq-uneven-cost = For a program on the busiest of these CPUs: its interrupts per second at 1 to 10 us each.

## ipc-falls

ipc = IPC falls with more cores
ipc-fall-ratio = With { $workload } IPC falls to { $ratio } times that of one core
ipc-confirm = cpulens scale -- COMMAND with --memory local and interleave: not confirmed if IPC on all cores is that of one
ipc-advice-caches = Run several instances, each on CPUs that share a last-level cache, so that fewer threads share lines.
ipc-advice = Run one instance for each NUMA node with its memory there, so that loads are near and fewer threads share lines.
ipc-cost = From nothing, if all of its loads must go as far as they do, to all that its longer instructions take.
ipc-fall = With { $workload } IPC falls from { $from } on one core to { $to } on { $cores }, { $ratio } times
ipc-claim = { $fall }: its threads wait for memory or for a cache that they share. Each core does { $share } of what one alone does.
ipc-rest = { $rest } times remain: frequency, idle time or more instructions.

## kernel-contention

kernel-title = Copies contend in the kernel
kernel-claim = With { $copies } copies these tests do less than { $copies } times as much as with one and wait in the kernel, while computation scales. All copies together, against one alone: { $join }.
kernel-advice = Find the place with perf top -g beside the test. Give each copy its own files, directories and address space (processes instead of threads), reuse open files and processes, and try a newer kernel.
kernel-verify = cpulens unixbench dhry2reg { $test } --copies 1,{ $copies }, on an idle machine: not confirmed if each copy does as much
kernel-cost = From nothing, for a program with few system calls, to the loss of { $test } with { $copies } copies, which does nothing else.
kernel-missing = no test was run with one copy and with several, undisturbed, beside Dhrystone and Whetstone
kernel-read = { $test } with { $copies } copies: { $times } times one ({ $share })
kernel-test = { $verbatim-test } ({ $times } times)

## link-below-capability

link-title = A device's link is below what it can do
link-advice = Reseat the card and its cables, look for a riser of an older generation, and look at the slot's speed in the firmware setup.
link-cost = Bandwidth of the device is proportional to its lanes and their speed. A program that does not saturate it loses little.
link-missing = no device states its link and what both ends can do
link-claim = { $device } ({ $verbatim-address }) runs at { $link }, and it and its port can do { $could }: { $lost } of the link's bandwidth is lost.
link-ports-unreal = the ports are the hypervisor's ({ $name }) and need not be real

## lock-bound

lock-title = A workload waits for locks or I/O, not for the CPU
lock-read = { $workload }: CPUs { $full } busy on all cores
lock-advice = Find the wait with perf trace -s or perf sched, and run several instances with fewer threads each.
lock-verify = cpulens scale with several instances of it: not confirmed if their sum does not rise
lock-cost = From nothing, if the service that it waits for is saturated, to all the idle CPU time.
lock-claim = Throughput of { $workload } is flat while its CPUs are only { $busy } busy: it is blocked on locks or I/O and not on the CPU.
lock-other-server = { $workload } does { $ratio } times as much on the same { $cores } cores: the limit is the software and not the machine.

## memory-latency-dominant

latency-title = Memory latency takes most of a program's time
latency-missing = the limiter of the counted program is not known: { $why }
latency-missing-stalls = its stalled cycles were not counted
latency-cost = From nothing, if its memory cannot be nearer and its loads cannot overlap more, to all the cycles that it waits for memory.
latency-advice-one-node = Give it huge pages, and keep what is used together on one line; a faster frequency brings little.
latency-advice = Bring its memory near (bind each process to a node), give it huge pages, and keep what is used together on one line; a faster frequency brings little.
latency-verify-pid = cpulens stat --pid PID: not confirmed if loads from memory take less than a fifth of its cycles
latency-verify-one-node = cpulens stat -- COMMAND: not confirmed if loads from memory take less than a fifth of its cycles
latency-verify = cpulens stat -- COMMAND, its memory bound near: not confirmed if it takes as long
latency-remedy = cpulens stat where stalls and lines from memory are counted
latency-remedy-stalls = cpulens stat on a processor whose stalls are counted
latency-claim-cpi = The counted program waits for memory during { $waited } of its cycles at { $cpi } cycles per instruction: { $why }.
latency-claim = The counted program waits for memory during { $waited } of its cycles: { $why }.
latency-claim-most-cpi = The counted program waits for memory during most of its cycles at { $cpi } cycles per instruction: { $why }.
latency-claim-most = The counted program waits for memory during most of its cycles: { $why }.
latency-load = A load from memory takes { $load } here, { $cycles } of its cycles.

## memory-limited-by-cpu

dimms-title = Memory modules are faster than the CPU allows
dimms-note = The CPU is at its own limit, and no setting changes it.
dimms-claim = { $slow } of { $known } memory modules are rated up to { $rated } and run at { $configured }. { $limit }
dimms-verify = the memory speed in the vendor's specification of this CPU model, and sudo dmidecode -t memory | grep -i speed
dimms-cost = What a CPU that runs these modules at their rating could read more.

## memory-missing-from-nodes

missing-title = Memory is missing from the NUMA nodes
missing-cost = it costs no time; sizes that rest on it are wrong
missing-note = A hypervisor that plugs memory in and out of its guests does so by default.
missing-nodes = the memory of a node is not known
missing-claim = The kernel counts { $total } in all and { $of-nodes } on its NUMA nodes: { $missing } are on no node. Memory was plugged in or taken by a balloon while the system ran, or the kernel initialises it when it is first used.
missing-advice = Do not size programs by a node's memory alone. On the host, give the guest its memory at once.

## migrations-cost

migrations-title = A workload is slower unpinned
migrations-advice = Pin its copies: cpulens place shows where, cpulens spread -- COMMAND does it.
migrations-verify = cpulens spread --prove -- COMMAND: not confirmed if pinned and unpinned have no significant difference
migrations-claim = Throughput of { $workload } on { $step } is { $ratio } as high unpinned as with each copy pinned to a CPU.

## mitigations-at-entry

mitigations-title = Mitigations make system calls slower
mitigations-note = The kernel does this by default on such a processor, and programs that stay in user mode lose nothing.
mitigations-claim = Every system call, interrupt or switch pays for mitigations: { $mitigations }.
mitigations-advice = Leave them on where untrusted code runs. Otherwise make fewer system calls (batching, io_uring), use a processor that is not affected, or boot with mitigations=off and measure.
mitigations-verify = perf bench syscall basic, with and without mitigations=off on the kernel's command line: not confirmed if both take as long
mitigations-missing = no figure of this record gives what they add to a system call
mitigations-remedy = cpulens stat -- COMMAND: the kernel's share of its time is the upper limit
mitigations-cost = Less than the { $share } of its time that the counted program spent in the kernel.

## nodes-unalike

unalike-title = Local memory of one NUMA node is slower
unalike-claim = A load from local memory takes { $slow } on node { $slow-node }, and { $fast } on node { $fast-node }: { $ratio } times as long, although nodes of one machine should be equal.
unalike-advice = Compare the modules and channels of both (sudo dmidecode -t memory; numactl --hardware), and look for other users of node { $node }. Until then run latency-bound programs on other nodes than node { $node }.
unalike-verify = cpulens run --only numa_matrix, several times: not confirmed if the local latencies stay within 15 %
unalike-cost = For a program on that node: from nothing, in the caches, to the whole difference, if it only waits for memory.
unalike-advice-rates = Compare the modules and channels of both (sudo dmidecode -t memory; numactl --hardware). Until then run bandwidth-bound programs on other nodes than node { $last }.
unalike-verify-bandwidth = cpulens run --only numa_matrix, several times: not confirmed if the local bandwidths stay within 15 %
unalike-missing = there are no two nodes whose CPUs measured their own memory six times or more
unalike-remedy = cpulens run --only numa_matrix, on a machine of several nodes
rates-of-nodes = { $fast } on node { $first } and { $slow } on node { $last }
unalike-rates = { $rate }, local memory: { $both }
unalike-claim-rates = { $rate } local memory at { $both }, although nodes of one machine should be equal.
unalike-read = local memory of { $nodes } nodes: { $fast } on node { $first } to { $slow } on node { $last }

## numa-hidden

hidden-title = Sockets share one NUMA node
numa-fake = numa=fake on the kernel's command line makes the NUMA nodes up
numa-no-fake = boot without numa=fake
hidden-absent = { $sockets } sockets have { $nodes } NUMA nodes: a socket may have no memory
hidden-clusters = the { $sockets } sockets may be clusters of cores, which older tools call so
hidden-unlike-advice = Switch NUMA on in the firmware setup, or on the host give the virtual machine its nodes (libvirt: <numa> and <numatune>).
hidden-unlike-verify = numactl --hardware, after the change, and cpulens run --only numa_matrix --per-cpu
hidden-advice = Switch node interleaving off in the firmware setup (AMD: NPS1 instead of NPS0), and remove numa=off from the kernel's command line.
hidden-verify = numactl --hardware, after the change
hidden-missing = the latency of far memory cannot be measured while the nodes are hidden
hidden-remedy = cpulens run --only numa_matrix, after the change
hidden-cost = From nothing, for a program in the caches, to the mean of near and far loads against near ones, for one that only waits for memory.
hidden-newer = lscpu of util-linux 2.37 or newer
hidden-unlike = { $sockets } sockets have only { $nodes }, whose memory is near to some CPUs and far from others: { $near } to { $far } for a load.
hidden-unreal = the { $sockets } sockets are stated by the hypervisor ({ $name }) and need not be real
hidden-claim = { $sockets } sockets have only { $nodes }: { $share } of all memory accesses go to another socket, and binding is impossible.

## page-tables-isolated

kpti-title = System calls switch page tables
kpti-note = The kernel does this by default on such a processor, and programs that stay in user mode lose next to nothing.
kpti-missing = { $value } is neither yes nor no
kpti-claim = Kernel page-table isolation (KPTI) is on: every system call and interrupt switches page tables.
page-tables-isolated-leave-where-untrusted-code = Leave it on where untrusted code runs. Otherwise make fewer system calls (batching, io_uring), use huge pages against the TLB misses that follow, or boot with pti=off and measure.
kpti-verify = perf bench syscall basic, with and without pti=off on the kernel's command line
page-tables-isolated-published-service-mix-system = Published for a service's mix of system calls, 0.1 to 6 %. It was not measured here.

## pinning-harmful

pinning-title = A workload is slower pinned
pinning-advice = Do not pin this workload to single CPUs. Bind it to a node, or not at all.
pinning-verify = cpulens scale --policy one-to-one,range,unpinned with more --repeats: not confirmed if the interval reaches below 1
pinning-test-advice = Do not pin programs that start others to single CPUs: these inherit the one CPU. Bind them to a node, or not at all.
pinning-test-verify = cpulens unixbench shell8 --placement range,one-to-one --repeats 3: not confirmed if the repeats overlap
pinning-test-cost = From the test that loses least by pinning to the one that loses most.
pinning-claim = Pinning harms { $workload }: on { $step } it does { $ratio } as much unpinned as with each copy pinned to a CPU.
pinning-test = Pinning harms { $workload }: with each copy pinned to a CPU it does { $ratio } times as much as within a range of CPUs.
pinning-tests = Pinning harms { $workload }: with each copy pinned to a CPU it does { $ratio } times as much as within a range of CPUs, and { $others ->
    [one] 1 other test does
   *[other] { $others } other tests do
} less, too.
test-pinned = { $verbatim-test }: { $ratio } pinned

## power-capped

power-title = Power keeps all CPUs below the base frequency
power-advice = Look for a power cap (sudo turbostat, the BMC's power settings, the firmware's power profile) and raise it, or plan with this frequency.
power-verify = sudo turbostat --show Bzy_MHz,PkgWatt,PkgTmp with all CPUs busy: not confirmed if the package stays below its limit
power-cost = From nothing, for memory-bound programs, to the whole difference to the base frequency, for programs that compute.
power-missing = the frequency was not measured with several busy CPUs
power-remedy = cpulens run --only loaded_frequency, with more CPUs
power-claim = With { $cpus } busy CPUs they run at { $frequency }, { $share } below the base frequency of { $base }.
power-limit = The package's power limit is { $watts } W.

## remote-memory

remote-title = Memory may be on another NUMA node
remote-claim-sockets = With memory on { $sockets } sockets, { $share } of the memory accesses of an unbound program may go to another socket
remote-claim = With { $nodes } NUMA nodes, { $share } of the memory accesses of an unbound program may go to another node
remote-advice-unpinned = Do not pin { $workload } to single CPUs, because it does more unpinned. cpulens spread --per node --prove -- COMMAND measures whether binding to nodes helps.
remote-advice = Bind each process to a node: numactl --cpunodebind=0 --membind=0 COMMAND.
remote-verify = numastat -p PID: not confirmed if all memory is on the node it runs on
remote-missing = the distances between NUMA nodes are not known
remote-remedy = numactl --hardware shows them, if firmware states them
remote-hidden = { $sockets } share one NUMA node, so which memory is remote is hidden
remote-hidden-remedy = numactl --hardware, with NUMA switched on in the firmware setup
remote-cost-bandwidth = From nothing, for a program that stays near its memory, to that of one that only waits for bandwidth and has its memory on all nodes alike.
remote-cost = From nothing, for a program that stays near its memory, to the difference between { $mean } and { $own }, for one that only waits for memory.
remote-longer = { $remote }. { $access } then takes { $mean } on average instead of { $own }, { $ratio } times as long.
remote-slit = { $remote }, at a SLIT distance of up to { $farthest } (local: { $local }).
remote-farthest-nearest = The farthest node takes { $most } times as long as the own one, the nearest other { $least } times.
remote-farthest = The farthest node takes { $most } times as long as the own one.
remote-rate = { $rate } { $times } times as much from the farthest node as from its own.

## shared-cache-untrue

cache-title = A last-level cache is not shared as stated
cache-cost = the cost depends on how often threads share cache lines
cache-once-remedy = cpulens run --only core_to_core,bandwidth, several times
cache-advice-hypervisor = Do not place threads by the stated caches, and measure several times. On the host, pin the virtual CPUs (virsh vcpupin) and state the real caches, or choose an instance of whole dies.
cache-advice = Place threads that share data by the measured groups (core to core), and update the firmware.
cache-claim = CPUs are stated to share a last-level cache, but { $sign }. Cause: { $why }.
cache-verify = cpulens run --only core_to_core, several times: not confirmed if the pairs of one cache stay within a factor of 1.8
cache-slow = one way takes { $time }, { $cache } times a load from that cache and { $memory } times one from memory
cache-once = { $times }, one of them only once
cache-why-hypervisor = the hypervisor ({ $name }) places them on different dies, at least at times
cache-why = the cache is divided by sub-NUMA clustering or partitions, or the firmware describes it wrongly
cache-two-times = a round trip took { $near } in { $often }, and { $far } in { $seldom }
cache-divided = a round trip takes { $near } between { $pairs }, and { $far } between { $others }

## slit-untrue

slit-title = SLIT distances differ from measured latency
slit-cost = the cost is what the kernel does with it when a node is full, which depends on the load
slit-cost-remedy = numastat -p PID beside the measured matrix
slit-missing = latency was not measured between nodes whose distances are stated
slit-advice = Place programs by the measured matrix, not by numactl --hardware, and keep vm.zone_reclaim_mode at 0, because it uses these distances.
slit-verify = cpulens run --only numa_matrix --depth standard, beside numactl --hardware
slit-order = The SLIT orders NUMA nodes wrongly in { $wrong } of { $compared }: from node { $from }, node { $nearer } is stated as nearer than node { $farther } and is slower.
slit-overstates = The SLIT overstates the distance of node { $to } from node { $from }: { $stated } times local memory by distance, { $measured } times by measured latency.
slit-understates = The SLIT understates the distance of node { $to } from node { $from }: { $stated } times local memory by distance, { $measured } times by measured latency.

## small-pages

pages-title = Small pages make loads from memory slower
pages-note = Many systems give huge pages only on request by default, and programs within the TLB reach need none.
pages-claim = A random load from memory takes { $base } on base pages and { $huge } on huge pages ({ $share } less), and only programs that ask for huge pages get them.
pages-advice = Make the program ask: GLIBC_TUNABLES=glibc.malloc.hugetlb=1, its own setting (huge_pages, large-pages, UseTransparentHugePages), or for all of them: echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.
pages-verify = cpulens spread --prove with and without GLIBC_TUNABLES=glibc.malloc.hugetlb=1: not confirmed if the program takes the same time
pages-cost = From nothing, within the TLB reach, to the whole difference of a random load on base pages, for a program that does nothing else.

## smt-harmful

smt-harmful-title = SMT slows a workload down
smt-harmful-advice = Give this workload one thread per core (numactl -C, cpuset.cpus, or as many workers as cores). Other workloads may gain, so do not switch SMT off for it.
smt-harmful-verify = cpulens scale with more --repeats: not confirmed if the interval reaches above 1
smt-harmful-claim = SMT harms { $workload }: { $step } does { $ratio } what { $with } does.

## smt-off

smt-off-title = SMT is off
smt-off-claim = SMT is switched off ({ $control }): each core runs one thread, although it could run more.
smt-off-advice = Switch it on and measure your program: echo on | sudo tee /sys/devices/system/cpu/smt/control. Leave it off where it was switched off for security.
smt-off-advice-forced = Remove nosmt=force from the kernel's command line, and measure your program with and without. Leave it where it was set for security.
smt-off-verify = cpulens scale -- COMMAND with SMT on: not confirmed if the SMT pair does no more than 1 core
smt-off-cost = The gain of the second thread in published runs of two programs on one processor model, 1.02 and 1.9 times.

## smt-untrue

smt-untrue-advice = On the host, state the real threads and cores (libvirt: <topology> with threads, and vcpupin), or choose an instance of whole cores.
smt-untrue-title = SMT siblings are stated wrongly
smt-untrue-verify-moved = cpulens run --only core_to_core, several times: not confirmed if no round trip is that short
smt-untrue-cost-moved = the two CPUs did not share a core while their additions were counted
smt-untrue-cost-none = siblings that are cores cost nothing: they do more than stated
smt-untrue-cost = From nothing, for memory-bound programs, to how much less two such CPUs do than two cores, in additions.
smt-untrue-read = CPUs { $from } and { $to }, stated as { $stated }: { $gain } times one of them
smt-untrue-verify = cpulens run --only smt_pair --cpus { $from },{ $to }; on the host, lscpu --extended
smt-untrue-busy = two CPUs do not add up as stated, but other programs used the CPUs meanwhile
smt-untrue-busy-share = two CPUs do not add up as stated, but other programs use { $share } of the CPUs
smt-untrue-moved = CPUs { $from } and { $to } are stated as two cores, and were threads of one core in { $seen } of { $all }: a round trip took { $near } then, and { $far } otherwise. At such times two busy programs share one core.
smt-pair-no-case = smt_pair did not record its case
smt-pair-no-cpus = smt_pair did not record its CPUs
smt-pair-no-single = smt_pair did not record each CPU alone
smt-pair-no-additions = smt_pair did not record additions
smt-untrue-cores-line = CPUs { $from } and { $to } are stated as threads of one core, but together do { $gain } times what one does alone, like two cores, and a line between them takes { $line } of the time of one between others. Software that avoids siblings leaves half of this machine idle.
smt-untrue-cores = CPUs { $from } and { $to } are stated as threads of one core, but together do { $gain } times what one does alone, like two cores. Software that avoids siblings leaves half of this machine idle.
smt-untrue-threads-line = CPUs { $from } and { $to } are stated as two cores, but together do { $gain } times what one does alone, like threads of one core, and a line between them takes { $line } of the time of one between others. Two busy programs share one core, and a neighbour on the core can observe them.
smt-untrue-threads = CPUs { $from } and { $to } are stated as two cores, but together do { $gain } times what one does alone, like threads of one core. Two busy programs share one core, and a neighbour on the core can observe them.

## smt-useless

smt-useless-title = SMT adds nothing to a workload
smt-useless-cost = a thread that adds nothing costs no throughput; it costs money where CPUs are paid by threads
smt-useless-advice = Run as many workers as cores, one thread of each. Other workloads gain from SMT, so measure a scaling run of each.
smt-useless-verify = cpulens scale with more --repeats: not confirmed if the interval reaches above 1.06
smt-useless-claim = SMT adds nothing to { $workload }: { $step } does { $ratio } what { $with } does.

## steal-time

steal-title = The hypervisor steals CPU time
steal-claim = Steal time is { $steal } of the CPU time: the hypervisor runs other guests.
steal-advice = Move to an instance with dedicated CPUs or CPU credits left, or to another host.
steal-verify = vmstat 1: not confirmed if the column st stays 0
steal-cost = The share of steal time while it was sampled.

## thp-never

thp-title = Transparent huge pages are off
thp-claim = Transparent huge pages (THP) are off, so large working sets pay for page walks.
thp-advice = Give THP to programs that ask: echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.
thp-verify = cpulens run --only load_latency, before and after
thp-advice-process = Find the first parent (pstree -sp PID) with THP_enabled: 0 in /proc/PID/status, such as a wrapper or a container runtime, and change it.
thp-verify-process = grep THP_enabled /proc/self/status, started in the same way: not confirmed if it prints 1
thp-cost = From nothing, within the TLB reach, to the share of page walks in a random load from memory on base pages.
thp-claim-process = Transparent huge pages (THP) are off for this process and its children. A parent process did that (PR_SET_THP_DISABLE). Large working sets pay for page walks.
thp-claim-process-setting = Transparent huge pages (THP) are off for this process and its children, although the system's setting is { $verbatim-setting }. A parent process did that (PR_SET_THP_DISABLE). Large working sets pay for page walks.

## too-noisy

noisy-title = The machine is too noisy for small differences
noisy-advice = Measure again while nothing else runs: with a fixed frequency on your own machine, with dedicated CPUs on a rented one. Compare only what several records agree on.
noisy-verify = cpulens run again: not confirmed if the reference sample stays within its limits
noisy-cost = it is about the validity of figures: differences below { $range } are not significant
noisy-claim = The { $resource } of the reference sample moved by { $range } between cases, so this record shows no smaller differences.

## wakeups-far

wakeups-title = Communicating processes run on different cores
wakeups-advice = Put both ends of a busy pipe or socket on one core or its sibling (taskset, cpuset.cpus), or in one process. Measure the program first: programs that fork lose by pinning.
wakeups-verify = cpulens unixbench context1 --placement none,one-to-one with more repeats: not confirmed if the difference is not significant
wakeups-cost = From nothing, for a program that seldom switches, to the loss of the test, which does nothing else.
wakeups-missing = context switches were not measured in two placements, twice each or more
wakeups-read = context1: { $ratio } times { $placement } over { $against }
wakeups-left-to-scheduler = left to the scheduler
wakeups-in-range = anywhere in a range
wakeups-claim = Two processes that wake each other switch { $ratio } times as often pinned { $placement } as { $against }. The scheduler puts them on different cores.
wakeups-claim-copies = Two processes that wake each other switch { $ratio } times as often pinned { $placement } as { $against } ({ $copies } copies). The scheduler puts them on different cores.

## wide-vectors-slow

vectors-title = Wide vectors lower the frequency
vectors-claim = With { $cpus } busy CPUs the frequency is { $frequency } in { $class } instructions and { $plain } in additions: { $share } less, also for the code between them.
vectors-advice = Switch them off where a program uses them seldom: -mprefer-vector-width=256, GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F. Leave them where it uses them a lot.
vectors-verify = cpulens stat -- COMMAND, with and without: not confirmed if the frequency is the same
vectors-cost = From nothing, without such instructions or where they gain more than they cost, to the whole difference, for the code between them.
vectors-missing = the frequency was not measured with wide vectors beside additions, on as many CPUs
vectors-remedy = cpulens run --only loaded_frequency, on a processor that has them

## wrong-results

wrong-title = A core computes wrong results
wrong-cost = it is about the correctness of results, not about their speed
wrong-advice = Take CPU { $all } out of use (echo 0 > /sys/devices/system/cpu/cpuN/online), undo overclocking and undervolting, update firmware and microcode, and have the processor replaced if it repeats. Check data that was written there.
wrong-verify = cpulens run --only verify --depth thorough --cpus { $all }, again and on a warm machine: not confirmed if no result is wrong
wrong-claim = { $wrong } of { $checked } were wrong: { $places }.
wrong-on = { $class } on CPU { $cpus }

## bound

whatif-bound = { $process } bound, one to each NUMA node
whatif-bound-unknown = a process bound to each NUMA node
whatif-one-node = the machine has one NUMA node, so nothing is far
whatif-hidden-nodes = firmware or the host hides the NUMA nodes of { $socket }: switch NUMA on there first
whatif-no-latency = latency was not measured between all nodes
whatif-who-bound = From a program that shares nothing between nodes to { $workload }, if all that its { $all } CPUs share can be divided.
whatif-assumes-bound = The work can be divided between processes that share nothing, and each node's memory is large enough for its part.
whatif-access = { $access } takes { $mean } on average over all nodes and { $own } from the own one: { $ratio } times.
whatif-bound-flat = With { $workload } { $all } CPUs do no more than { $one }, though all are full.

## cores

whatif-cores-figures = { $workload } does { $ratio } times on { $cores } cores what it does on { $against }.
whatif-who-cores-figures = { $workload } on { $cores } cores, against { $against }.
whatif-who-range = From { $from } to { $to }, each alone.
whatif-assumes-conditions = Both figures were taken under the same conditions.
whatif-cores-two = { $workload } is published on { $few } and { $all } cores only
whatif-cores-unpublished = nothing is published on { $cores } cores, and the scalability law needs repeats
whatif-no-law = no scaling run follows the scalability law
whatif-misfit = the scalability law is off by up to { $misfit } and does not describe { $workload }
whatif-far = { $cores } cores are more than four times the { $now } that were measured
whatif-who-cores = { $workload } on { $cores } cores, against { $now } now.
whatif-law = The scalability law of its scaling run: contention { $low } to { $high }, coherency { $coherency-low } to { $coherency-high }.
whatif-assumes-cores = More cores are like these: the same cache for each, the same memory for each node, the same frequency.
against-cores = against { $cores }

## dimms

whatif-modules = memory modules at { $transfers }
slowest-runs = the slowest module runs at { $now }
whatif-modules-kind-at-most = { $kind } modules run at { $most } at most
whatif-modules-as-now = nothing changes: memory runs at { $now } now
whatif-modules-is-now = Memory runs at { $now } now.
whatif-modules-who-all = Every program.
whatif-modules-assumes-cpu = The CPU stays: another model may run memory faster.
whatif-modules-rated = These modules are rated at { $rated }: others are needed.
whatif-who-dimms = From a program that does not use bandwidth up to one that does nothing but stream on all cores.
whatif-reads-end = Reads of a node end at { $limit } with { $thread }, so it is memory that is used up; transfers from { $now } to { $transfers }.
whatif-transfers = Transfers from { $now } to { $transfers }; that it is memory which is used up was not measured.
whatif-modules-assumes-one-module = There is one module on each channel, since more of them are slower, and timings in nanoseconds stay.
whatif-assumes-dimms = The memory controller runs at that speed with as many modules on a channel, and timings in nanoseconds stay.
this-cpu-at-most = This CPU runs memory at { $most } at most.
held-by-cpu = this CPU runs memory at { $most } at most
no-gain = no gain: this CPU runs memory at { $most } at most
now = now { $value }

## frequency

whatif-frequency = cores at { $frequency }
whatif-counted-works = The counted program, which does not wait for memory during { $share } of its cycles.
whatif-who-frequency = From a program that waits for nothing but memory to one that only computes.
whatif-basis-frequency = One busy core runs at { $high } now.
whatif-assumes-frequency = Power and cooling hold that frequency with all cores at work, and the caches' frequency goes with the core's.

## huge-pages

whatif-huge = huge pages on
whatif-huge-already = programs get huge pages already (always)
whatif-basis-huge = A random load from memory takes { $base } on base pages and { $huge } on huge ones.
whatif-assumes-huge = The kernel finds huge pages for the program's memory, and the program touches it far apart, beyond the TLB's reach.

## smt

whatif-smt-off = sibling threads off
whatif-no-siblings = no core here has a second thread
whatif-no-smt = what sibling threads are worth was not measured for any workload
whatif-no-smt-do = cpulens scale -- COMMAND, where SMT is on
whatif-who-smt = { $loses } alone, on { $with }.
whatif-assumes-smt = The workload is run with one copy or thread for each core afterwards; what is not on the scaling run may gain by siblings as much as this loses.
sentence = { $what }.
both-workloads = { $workload }: { $what }; { $other }: { $other-what }.

## whatif

whatif-no-range = what was measured gives no range
whatif-counted-waits = The counted program, which waits for memory during { $share } of its cycles.
whatif-who-loads = From a program that works in its caches to one that waits for nothing but memory.
times = { $ratio } times
times-range = { $low } to { $high } times

## instructions

more-instructions = { $workload } executes { $ratio } times as many instructions here (more): that is its compiler, flags, libraries or version and not the machine, and accounts for up to { $times } of the { $share } times between them. Run the same static binary on both.
fewer-instructions = { $workload } executes { $ratio } times as many instructions here (fewer): that is its compiler, flags, libraries or version and not the machine, and accounts for up to { $times } of the { $share } times between them. Run the same static binary on both.
