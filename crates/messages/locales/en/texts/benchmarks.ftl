## databases

db-not-measured = it was not measured
gate-foreign = other programs used { $found }, of which { $most } may be
gate-steal = the hypervisor took { $found }, of which { $most } may be
gate-clients = a client's CPU was used { $found }, of which { $most } may be
gate-frequency = the frequency moved by { $found }, of which { $most } may be
gate-spread = repeats vary by { $found }, of which { $most } may be
as-reference-moved = { $gate }, as the reference samples moved
gate-errors = { $transactions } transactions were given up after ten retries
gate-heat = its CPUs throttled for heat { $times } times, and never may
gate-disk = { $reads } pages an event were read from disk, of { $most } at most
gate-idle = a client had nothing to do for { $idle } of its time, of { $least } at least
gate-siblings = no CPU was left for the clients but siblings of the server's
gate-memory = { $share } of the server's memory are on its node, of { $least } at least
gate-shared = no CPU was left for the clients: they shared the server's
db-time-unseen = the server's CPU time cannot be seen from here
db-others-used = others used its CPUs meanwhile
db-nothing-else = measure when nothing else runs
db-not-pinned = it is pinned nowhere: which CPUs it could have had is not known
db-siblings-slow = its clients, on siblings of its CPUs, slow them down
db-neither = its CPUs are used to { $full }: neither full nor idle
db-cost-unmeasured = what an event costs on one core with as many connections was not measured
db-points-one = --points with 1 in it, and --threads N, which are as many a CPU on every step
db-few-connections = its CPUs are used to { $full }, and { $connections } connections are too few to fill them
db-more-threads = --threads { $threads } or more
db-clients-unseen = its CPUs are not full, and whether its clients could ask more was not looked at
db-full = CPU full
db-full-dearer = CPU full, { $times }x the cost: memory or spinning
db-not-full = CPU not full: locks
db-client-bound = client-bound
db-disk-bound = disk-bound
db-unknown = unknown: { $why }
db-not-counting = { $verdict } (does not count)
db-placement-times = { $step }: { $placement } did { $times } times what { $base } did.
db-placement-same = { $step }: { $placement } and { $base } show no significant difference ({ $times } times).
db-connections = { $connections ->
    [one] 1 connection
   *[other] { $connections } connections
}
db-point = { $step } ({ $which })
db-queries = Point select: { $step } does { $rate } queries.
db-queries-best = Point select: { $step } does { $rate } queries, { $best } { $most } queries.
db-queries-efficiency = Point select: { $step } does { $rate } queries, { $best } { $most } queries, an efficiency of { $efficiency } against { $base } with { $connections ->
    [one] 1 connection
   *[other] { $connections } connections
}.
db-orders = TPC-C: { $step } does { $rate } new orders per minute (NOPM).
db-orders-best = TPC-C: { $step } does { $rate } new orders per minute (NOPM), { $best } { $most } new orders per minute (NOPM).
db-orders-efficiency = TPC-C: { $step } does { $rate } new orders per minute (NOPM), { $best } { $most } new orders per minute (NOPM), an efficiency of { $efficiency } against { $base } with { $connections ->
    [one] 1 connection
   *[other] { $connections } connections
}.
db-memory = { $point }: its CPUs are full, and an event costs { $times } times what it does on one core: lines of memory that cores share, or locks that are waited for by spinning.
db-locks = { $point }: its CPUs are used to { $full } and the clients could ask more: threads that wait, wait for locks.
db-points-out = Points that do not count: { $points }.
db-point-out = { $point } is excluded: { $why }.
db-law = Scalability law: contention { $contention }, coherency { $coherency }.

## noise

noise-tlb = TLB shoot-downs
noise-nmi = NMIs
noise-device = device interrupts
noise-hypervisor = interrupts of the hypervisor
noise-other = other interrupts
noise-timer = timer interrupts
noise-reschedule = reschedule interrupts
noise-function-call = function call interrupts
noise-irq-work = irq work interrupts
noise-machine-check = machine check interrupts
noise-thermal = thermal interrupts
noise-of-kind = { $kind } interrupts
noise-softirqs = softirqs
noise-preemption = preemption
noise-quota = quota throttling
noise-rt = RT throttling
noise-migration = migration
noise-faults = page faults
noise-steal = steal
noise-smi = SMI or hypervisor
noise-stalls = short stalls of the core
noise-more = interrupts or more

## scaling-runs

fixed-duration = a run takes { $time }, however many copies run at once: the command itself sets its duration, and completed runs say nothing of what it did
rate-regex = --rate-regex with the number that it prints as its result
too-short = a run takes { $time }, of which the start of processes is too large a part for a verdict
longer-command = a command that takes { $time } or more, such as several of them in a row
repeats-noise = { $repeats } repeats cannot be distinguished from noise
more-repeats = --repeats 6, of which none fails
step-interleave = { $step }, memory interleave
step-with-memory = { $step }, memory { $memory }
law-needs-four = the scalability law needs four numbers of cores, and there { $counts ->
    [one] is 1
   *[other] are { $counts }
}
law-needs-four-own-cpus = the scalability law needs four numbers of cores, and there { $counts ->
    [one] is 1
   *[other] are { $counts }
}, without those whose clients had no CPUs of their own
law-equal-cores = the scalability law is of equal cores, and these are of several kinds
one-kind-cores = --cpus with cores of one kind
law-needs-repeats = the scalability law needs repeats
limit-not-looked-for = not looked for yet
limit-none = On { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} each core does { $share } of what one alone does: it scales, and nothing that they share limits it.
limit-waiting = On { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} each core does { $share } of what one alone does, and their CPUs are used to { $full } only: copies wait for each other or for I/O (locks), not for the CPU.
limit-waiting-flat = On { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} each core does { $share } of what one alone does and throughput is flat, and their CPUs are used to { $full } only: copies wait for each other or for I/O (locks), not for the CPU.
limit-client = The client used { $client } of its CPUs, and the server { $server } of its own: the client limits, and what the server can do on all its cores is unknown. More CPUs for the client (--client-cpus) would tell.
limit-frequency = On { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} each core does { $share } of what one alone does, and the frequency is { $times } times that of one core: power or heat limits it.
limit-stalled = On { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} each core does { $share } of what one alone does, and instructions per cycle fall to { $times } times those of one core: it waits for memory or a shared cache.
limit-shared = On { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} each core does { $share } of what one alone does: the CPUs are full and the frequency does not explain it. It waits for something that cores share, most often memory; instructions per cycle would tell, and could not be counted here.
limit-shared-flat = On { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} each core does { $share } of what one alone does and throughput is flat: the CPUs are full and the frequency does not explain it. It waits for something that cores share, most often memory; instructions per cycle would tell, and could not be counted here.
no-step-result = no step has a result
server-one-core = the server has one core, and its client the others: how it scales is unknown
four-cores = four cores or more (--cpus, --client-cpus)
one-point = only one point was measured ({ $cores ->
    [one] 1 core
   *[other] { $cores } cores
}), and one core is needed beside it
scale-begins-with-one = cpulens scale -- COMMAND, which begins with one core
one-step = the scaling run has one step, of one core
scale-more-cpus = cpulens scale -- COMMAND, with more CPUs (--cpus, cpuset)
not-from-one = the scaling run does not begin with one core
scale-from-one = cpulens scale, which begins with one
steps-with-result = of { $steps } steps without sibling threads { $known } has a result
one-core-no-result = one core has no result
quota-not-full = a quota allows { $quota } CPUs' worth of time, so { $threads ->
    [one] 1 CPU
   *[other] { $threads } CPUs
} cannot be full
raise-quota = raise the quota (cpu.max of the cgroup), or choose as many CPUs with --cpus
use-not-recorded = CPU use was not recorded
loss-unexplained = CPUs are full, and neither the frequency nor instructions per cycle explain the loss: copies may execute more instructions
others-took-meanwhile = at { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} other programs or the hypervisor took { $taken } of the machine
stop-else = stop what else runs, or measure at a quieter time
scaling-unknown = How { $workload } scales cannot be determined: { $why }.
not-idle-beside = The machine was not idle beside the copies: after a point { $why }.
remedy = Remedy: { $remedy }.
limit-undetermined = What limits it cannot be determined: { $why }.
no-law = No law is fitted: { $why }.
runs-per-second = { $number } runs per second
does-one = With { $workload } { $step } does { $rate }.
does-both = With { $workload } { $step } does { $rate }, { $last } ({ $cores }) { $most }, { $times } times as much.
server-client = With { $step } the server used { $server } of its CPUs and the client { $client } of its own: { $verdict }.
server-limits = the server's CPUs limit
client-limits = the client limits, and the server could do more
both-full = both are full, so the server might do more with a client that has more CPUs
neither-full = neither is full: they wait for each other, the network or a disk
times-range = { $times } times ({ $low } to { $high })
by-ipc-same = By instructions per cycle, { $own } a thread against { $with }, it would be { $times } times: so frequency and number of instructions are the same
by-ipc-other = By instructions per cycle, { $own } a thread against { $with }, it would be { $times } times: so the frequency or the number of instructions is another
full-stop = { $sentence }.
siblings-nothing = Sibling threads, { $step } against { $with }: { $times }, which is not significant; they add nothing measurable to this workload.
siblings-harm = Sibling threads, { $step } against { $with }: { $times }; they harm this workload.
siblings-gain = Sibling threads, { $step } against { $with }: { $times }, for this workload.
siblings-unknown = Sibling threads, { $step } against { $with }: what they add cannot be determined, for { $why }.
law-off = The scalability law is off by up to { $misfit } and does not describe these steps: something changes between them, as where a node or a socket ends.
law-parameters = Scalability law: contention { $contention } ({ $contention-low } to { $contention-high }), coherency { $coherency } ({ $coherency-low } to { $coherency-high })
law-no-knee = { $law }; no knee: the interval of coherency includes 0.
law-knee = { $law }; throughput is highest with { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} ({ $low } to { $high }).
law-knee-beyond = { $law }; throughput is highest with { $cores ->
    [one] 1 core
   *[other] { $cores } cores
} ({ $low } to { $high }), more than the scaling run had.
unpinned-same = On { $step } this workload does as much unpinned as pinned one to one, as far as noise lets see ({ $times }).
unpinned-better = On { $step } this workload does { $times } as much unpinned as pinned one to one: do not bind it.
unpinned-worse = On { $step } this workload does { $times } as much unpinned as pinned one to one: pinning gains.
unpinned-unknown = What pinning is worth on { $step } cannot be determined: { $why }.

## unixbench

scales = scales
one-copy-slow = one copy is slow where the scheduler puts it, or it leaves CPUs idle
shares-nothing-falls = so does work that shares nothing ({ $share }): shared cores, the frequency, or others
kernel-share = contention in the kernel: { $share } of its time is spent there
kernel-by-design = contention in the kernel, which is all that it calls
copies-share = copies share something outside the kernel: a cache or memory
one-copy-parallel = one copy already keeps { $used } CPUs busy
cannot-tell-others = cannot tell: others took { $taken } of the machine
cannot-tell-controls = cannot tell: dhry2reg and whetstone_double are needed beside it
index-of = The index in the way of { $variant } with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
} is { $index }.
index-of-placed = The index in the way of { $variant } with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
}, placement { $placement } is { $index }.
index-of-partial = The index in the way of { $variant } with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
} is { $index } (partial: { $tests } of { $all } tests).
index-of-placed-partial = The index in the way of { $variant } with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
}, placement { $placement } is { $index } (partial: { $tests } of { $all } tests).
control-slow = { $test } with { $copies } copies does only { $share } of what one copy does on each CPU, though it shares nothing: CPUs share cores, the frequency falls, or others use them. Look there before blaming a kernel setting.
control-keeps = Dhrystone and Whetstone keep { $share } with { $copies } copies: cores and frequency hold nothing back, so what falls is held back by what copies share.
kernel-held = With { $copies } copies these are held back by contention in the kernel, not by slow CPUs: { $tests }. perf top or perf lock beside them shows where.
passes-spread = Passes with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
} spread by more than { $most }: { $tests }.
others-took-tests = Others, or the hypervisor, took up to { $taken } of the machine beside tests with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
}; measure again at a quieter time.
copied-on-tmpfs = Files were copied on tmpfs, which is about a tenth faster than a disk's filesystem; --scratch names another folder.
execl-memory = execl started its program from memory, since no folder lets programs run; the original starts a file, so that the two are not comparable. --scratch names a folder.
scores-in-part = Scores with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
} that rest on a part of their passes: { $tests }; the others are missing: { $why }.
parts-done = { $test } ({ $done } of { $planned ->
    [one] 1 part
   *[other] { $planned } parts
})
no-score = { $test } with { $copies ->
    [one] 1 copy
   *[other] { $copies } copies
} has no score: { $why }.
static-program = it ran with a static program, whose numbers are not those of UnixBench
newer-glibc = a machine with glibc 2.29 or newer

## identity

counts-no-numbers = the counts are no numbers
counts-do-not-fit = { $cpu } of CPU time do not fit into { $elapsed } on { $threads } CPUs
counts-of-others = its cycles are { $times } times what { $time } on a CPU can hold (a frequency of { $frequency }): other programs were counted, too, as by perf stat -a
counts-not-all-time = its cycles are those of a frequency of { $frequency }: not all of its time was counted
counts-too-wide = { $ipc } instructions per cycle are more than any core retires

## limiter

evidence-cpus = what a set of CPUs did is of no program in particular, so nothing is said to limit one
evidence-on-cpu = it was on a CPU for { $cpu } of { $elapsed }
evidence-gave-up = { $times ->
    [one] 1 time
   *[other] { $times } times
} it gave its CPU up to wait
evidence-disk = { $faults ->
    [one] 1 page fault
   *[other] { $faults } page faults
} waited for a disk
evidence-no-cpu = { $waited } it waited for a CPU
evidence-kernel = { $share } of its CPU time were spent in the kernel
evidence-faults = { $faults ->
    [one] 1 page fault
   *[other] { $faults } page faults
} a second
evidence-slots = of its slots { $retiring } retired, { $speculation } were lost to bad speculation, { $frontend } to the front end, { $backend } to the back end
evidence-waited-data = { $memory } of slots or cycles waited for data
evidence-only-data = only { $memory } of slots or cycles waited for data
evidence-units-or-data = whether units or data were waited for was not counted
evidence-nothing-delivered = { $latency } of its slots were in cycles in which the front end delivered nothing: it waited for instructions or their addresses
evidence-mispredicted-slots = { $branches } of its slots were lost to mispredicted branches
evidence-stalled = the front end stalled it for { $front } of its cycles, the back end for { $back }
evidence-only-cycles = only { $memory } of its cycles waited for data
evidence-mispredicted = { $branches } mispredicted branches per 1000 instructions, about { $share } of its cycles at { $each } cycles each
evidence-misses = misses that hit in L2, in the last level and in memory would take { $l2 }, { $last } and { $memory } of its cycles, one after the other
evidence-little = stalls were not counted, and the misses explain little
evidence-levels = stalled on loads from L2 for { $l2 } of its cycles, from L3 for { $l3 }, from memory for { $memory }
evidence-level-unknown = which level of the hierarchy was waited for was not counted
evidence-lines-unknown = how many lines came from memory was not counted
evidence-lines = { $rate } from memory for each CPU, which is { $lines } lines in flight at { $time } each

## program

event-uncounted = { $event } was not counted
nothing-executed = nothing was executed while it was counted

## quantities

modules-at = memory modules at { $speed }
memory-bound-socket = memory bound to the socket
basis-assumed = { $grade }, +/-{ $error } assumed
