## bandwidth-scalings

again-quiet = measure again while nothing else runs
few-undisturbed = too few undisturbed samples with { $threads ->
    [one] 1 thread
   *[other] { $threads } threads
}
one-number-of-threads = bandwidth at one number of threads says nothing of others
scaling-more-cpus = cpulens run --only bandwidth_scaling, on more CPUs
rises-with-last = bandwidth still rises with the last of { $threads } threads: it may be they and not memory that is used up

## cache-bandwidth

no-set-delivers-between = no working set between { $from } and { $to } was measured, where only { $level } delivers
no-set-delivers-from = no working set from { $from } on was measured, where only { $level } delivers
free-memory-or-thorough = free memory, or cpulens run --only cache_bandwidth --depth thorough

## curves

size-not-stated = the machine does not state the size of its { $cache } cache
last-size-unknown = the size of the last cache is not known, so which part of the curve is memory cannot be determined
info-shows = cpulens info shows what could not be read and why
no-set-answers-between = no working set between { $from } and { $to } was measured, where only { $level } answers
curve-not-flat = the curve is not flat between { $from } and { $to }: { $level } is smaller than stated, shared with somebody, or noise hides it
latency-quiet-standard = cpulens run --only load_latency --depth standard, while nothing else runs
latency-quiet-host = cpulens run --only load_latency, while nothing else runs on this host
latency-quiet = cpulens run --only load_latency, while nothing else runs
free-node-then-standard = free memory on this node, then cpulens run --only load_latency --depth standard
largest-too-small = the largest working set, { $largest }, is less than { $times } times { $cache } ({ $capacity }): part of its loads are still served by the cache
one-point-beyond = there is one point beyond { $times } times { $cache }, at { $point }, and the curve is not known to be flat there
curve-still-rises = the curve still rises beyond { $times } times { $cache } ({ $capacity }): a mixture of cache, memory and page walks
as-memory = between { $from } and { $to } a load takes { $load }, and from memory { $memory }: others hold this cache, or it is smaller than stated
as-mixture = between { $from } and { $to } a load takes { $cycles } cycles, and { $level } of { $microarchitecture } at most { $most }: a mixture with memory, for others hold most of it
flat-faster-than = its flat stretch is faster than that of { $level }: the machine changed while the curve was taken

## drift

moved-by = { $resource } by { $range }
moved-and-rests = { $moved } ({ $figures })
rests-frequency = everything that runs with the core: compare cycles rather than times
rests-ports = operations per cycle: another thread used the core
rests-l2 = latencies and bandwidths of the caches
rests-l3 = what the last cache serves
rests-memory = what memory serves
rests-placement = what CPUs do to each other
steady = The machine was steady: over { $samples } reference samples these moved: { $moved }
drifted = The reference samples drifted during the run: { $moved }
full-stop = { $sentence }.

## energy

energy-took = The processor took { $energy } in { $time } of cases, { $power } on average.
energy-took-reached = The processor took { $energy } in { $time } of cases, { $power } on average, and reached { $temperature }.

## expected

beside-published = Beside what is published of { $microarchitecture }: { $judgements }.
as-expected = as expected
better-than-expected = better than expected
share-of-published = { $share } of { $microarchitecture }'s
these-as-expected = { $names } as expected
which-judged = { $name } { $judgement }
not-published = of { $microarchitecture } no values are published here to compare with

## judgement

unknown-what = It is unknown { $what }
how-fast-core = how fast the core ran
core-as-advertised = whether the core ran as fast as advertised
core-below-base = The core ran at { $measured }, { $below } below its base frequency of { $rated }
core-below-maximum = The core ran at { $measured }, { $below } below its maximum frequency of { $rated }
and-governor = { $slow }; the frequency governor is '{ $governor }'
set-governor = sudo cpupower frequency-set -g performance, then measure again
look-for-heat = look for heat, a power limit, or a full machine: sudo turbostat shows the frequency and why it is held back
core-unsteady = The core frequency was not steady: for 90 % of the time it lay between { $low } and { $high }, { $spread } apart
steady-governor = measure while nothing else runs; on your own machine, sudo cpupower frequency-set -g performance
imported-other-machine = { $other } of { $files ->
    [one] 1 file
   *[other] { $files } files
} contradict an earlier one about the machine: they are of another machine, or of other settings
import-by-itself = import the files of each machine by themselves
imported-results = These are results of other tools, imported from { $files ->
    [one] 1 file
   *[other] { $files } files
}: the load and the frequency of the machine while they ran are not known
measure-that-machine = measure that machine with cpulens run
imported-doubts = { $doubts ->
    [one] 1 doubt
   *[other] { $doubts } doubts
} about what was imported, under Results of other tools
quota-used = A quota allows { $quota } CPUs' worth of time, and cases used { $used ->
    [one] 1 CPU
   *[other] { $used } CPUs
} at once: the kernel may have paused them
raise-quota = raise the quota: cpu.max of the cgroup, --cpus of docker run, limits.cpu of Kubernetes; or measure fewer CPUs with --cpus
only-some-cpus = Only { $usable } of { $online } online CPUs may be used: what is said of all CPUs is said of those, and others may run beside them
widen-cpuset = widen the CPU set, by taskset or cpuset.cpus of the cgroup, if the whole machine is meant
others-busy = whether other programs were busy
others-used-during = Other programs used { $share } of the CPUs while the cases ran
others-used-around = Other programs used { $share } of the CPUs before and after the run
stop-them = stop them: top shows which they are; or measure on idle CPUs with --cpus
hypervisor-took = whether there was steal time
steal-during = Steal time was { $share } of the CPU time while the cases ran
steal-around = Steal time was { $share } of the CPU time before and after the run
another-time = measure again at another time, or on an instance with dedicated CPUs
runnable = On { $cpus ->
    [one] 1 CPU
   *[other] { $cpus } CPUs
} as a rule { $tasks ->
    [one] 1 task
   *[other] { $tasks } tasks
} besides ours wanted a CPU before and after the run
wait-done = wait until they are done: ps -eo stat,pid,comm | grep ^R lists them
swapped = The machine swapped { $pages } pages a second
free-swap = free memory: stop programs, or measure with smaller buffers after sudo swapoff -a
disturbed-samples = { $disturbed } of { $samples } samples ({ $share }) were disturbed and left out: { $why }
reference-fewer = its reference sample was taken fewer than twice
more-than-one-case = measure more than one case in a run
machine-drifted = whether the machine drifted
again-both-agree = measure again while nothing else runs, and compare only what both runs agree on
hypervisor-moved = the hypervisor has probably moved them
pin-virtual = pin the virtual CPUs on the host, as by virsh vcpupin
something-used-caches = something else used caches or memory at one of those times
cpus-moved = In { $moved } of { $checked } cases with several threads the CPUs were not equally fast together all the time: { $why }

## matrices

two-cpus-together = two CPUs always hang together
allow-more-cpus = allow more CPUs: --cpus, or a wider cpuset
not-every-pair = not every pair was measured

## shared-core

of-per-cycle = { $operation } { $delivered } of { $can } per cycle
core-shared = Another thread had a part of the core in { $share } of the samples: delivered were { $operations }, while chains of dependent operations took the same within { $chains }.
pair-shared = CPUs { $from } and { $to } were threads of one core in { $share } of the round trips between them.

## theoretical

modules-not-described = the memory modules are not described
run-as-root = run as root
no-slot-filled = firmware says that no slot has a memory module
module-speed-missing = firmware does not state how fast the module in { $slot } runs

## tlb

tlb-base-unknown = the reach on base pages is not known
tlb-quiet-standard = cpulens run --only tlb_reach --depth standard, while nothing else runs
tlb-step-less = a step between { $last } and { $next } pages adds { $miss }, less than the { $first } of a miss of the { $level }: it is no TLB, as where a neighbour on the core takes lines of the first-level cache
tlb-no-step = up to { $pages } pages no step was found in the cost of a load: noise hides it, or one TLB holds them all
tlb-no-huge = it was not measured on huge pages
tlb-part-huge = the kernel put only { $share } of the buffer on huge pages
compact-memory = free memory, or let it be compacted: echo 1 | sudo tee /proc/sys/vm/compact_memory
tlb-some-miss = some of the huge pages miss as small ones do and some do not, or noise hides it

## undisturbed-speeds

interrupts-on-longer = { $longer } % longer with interrupts on ({ $place })
interrupts-on-longer-range = { $longer } % longer ({ $low } to { $high } %) with interrupts on ({ $place })
cost-migrations = the cost of interrupts and migrations together
cost-interrupts = the cost of interrupts and their handlers
kernel-pass = In kernel mode a pass takes { $longer } than with interrupts off in the same place: { $cost }.
kernel-pass-elsewhere = In kernel mode a pass takes { $longer } than with interrupts off ({ $place }). Place and interrupts differ at once, so their costs cannot be separated.
baseline-unknown = undisturbed speed is not known: it takes the kernel module to run with interrupts off
noise-kmod = cpulens noise --kmod, as root, on a machine for tests

## facts

fact-unknown = { $fact } is not known
fact-missing = { $fact } is not in this record
measure-machine-again = measure this machine again with cpulens run
fact-not-number = { $fact } is not a number
modules-unreal = the memory modules are described by the hypervisor ({ $hypervisor }) and need not be real
dmidecode-on-host = look on the host: sudo dmidecode -t memory

## memory-speed

limit-module = The limit is the slowest module, rated { $speed }.
limit-cpu = The limit is the CPU: it runs memory at { $speed } at most.
limit-load = The limit is { $modules ->
    [one] one module
    [2] two modules
   *[other] { $modules } modules
} on a channel: this CPU then runs memory at { $speed } at most.
limit-firmware = The limit is a setting of the firmware: with { $modules ->
    [one] one module
    [2] two modules
   *[other] { $modules } modules
} on a channel this CPU runs memory at up to { $speed }.
limit-undetermined = Which limit holds cannot be determined: { $why }.
replace-slower-modules = Replace the slower modules where bandwidth matters: all modules run at the pace of the slowest.
nothing-to-set = Nothing is to be set. Modules of a lower rating do as well, and only another CPU model is faster.
fewer-larger-modules = Where bandwidth matters more than capacity, use larger modules and fewer, one on each channel. No setting of the firmware helps.
set-highest-speed = Set the memory speed in the firmware setup to the highest (often a part of its power profile).
look-up-speed = Look up the speed that this CPU allows with as many modules on a channel, then set it in the firmware setup.
speeds-not-stated = firmware does not state all speeds
cpu-not-in-table = what this CPU allows is not in the table of known ones
such-modules-not-in-table = what this CPU allows with such modules is not in the table
faster-than-stated = memory runs faster than the vendor states for this CPU
own-limit-ranks-or-setting = this model's own limit, its modules' ranks, or a setting of the firmware
several-modules-or-own-limit = several modules on a channel, this model's own limit, or a setting of the firmware
channels-of-slots-unknown = which slots share a channel is not known: two modules on one, this model's own limit, or a setting of the firmware

## quantity

no-pmu = n/a: no PMU
not-available = n/a: { $why }

## report

no-result = { $probe } has no result
probe-not-recorded = { $probe } did not record this
probe-not-run = { $probe } was not run

## words

per-second = { $number } per second
per-cycle = { $number } per cycle
celsius = { $number } degrees Celsius
