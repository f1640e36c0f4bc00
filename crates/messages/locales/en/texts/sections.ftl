## diagnosis

any-program = any program
diagnosis-of = Diagnosis of { $record } for { $workload }
not-so = not so: { $title }. Looked at: { $read }
numbered-finding = { $number }. { $title } ({ $verbatim-rule })
named-finding = { $title } ({ $verbatim-rule })
for-workload = For { $workload }, which leans on { $demands }. { $why }
cost-of-finding = { $cost } ({ $confidence }). { $basis }
no-figure-of-cost = no figure: { $why }
counted-with = Counted with { $verbatim-rule }.
no-remedy-known = Nothing that is known would let it be
of-rule = { $verbatim-rule }: { $words }

## whatif

predictions-from = Predictions from { $record }: nothing of this was measured
predicted = Predicted: { $change }

## curves

both-logarithmic = Both axes are logarithmic.
records-not-drawn = Records not drawn: { $n }.

## machines

machines-alike = In what decides speed the machines state the same.

## reading

reading-ratio = A ratio is this record's median over the baseline's, with its 95 % interval; better or worse is by the direction that is good.
reading-cycles-counted-core-cycles = In cycles: counted in core cycles of both. Per core: divided by the cores that took part. Per watt and per price: how many times as much it does for as much, where both records were given theirs (--watts, --price).
reading-intervals = Intervals hold from run to run: they rest on how the visits of a run differ, each with memory of its own, and for a record of one visit on how such figures varied on another machine. cpulens selftest aa measures it on this one.
reading-verdicts = { $better } and { $worse } are said of differences beyond { $band }, where at most { $wrong-share } of the rows so called are false. { $same }: the whole interval lies within. { $unclear }: the samples cannot tell. { $no-spread }: a value without four samples.

## records

unlike-whole = { $name } and the baseline are not comparable as a whole:

## rows

starred = * differs from the baseline by more than noise

## summary

mean-of-each-group = Mean of each group, record by record

## unlike

others-alone = Figures of other tools that nothing of ours stands beside

## why

why-speed-cores-x-smt = Speed is cores x SMT yield x frequency x IPC x locality x bandwidth over instructions. Each factor is how many times as fast it alone makes the record; multiplied they are the ratio.
where-from = Where the factors come from
why-logarithmic-each-bar-begins = Logarithmic: each bar begins where the one before it ended, and the last is the whole. Striped: inferred.
what-the-others-leave = inferred: what the others leave
one-program-inferred = inferred: one program, one instruction set
why-what-left = what is left: { $holds }
one-program-on = inferred: one program on one instruction set

## diagnosis

diagnosis-nothing = Nothing was found, and nothing could be looked at: this record says too little.
diagnosis-nothing-wrong = Nothing was found wrong in { $matter } that could be looked at.

## fleet

fleet-title = Fleet of { $hosts }: { $slow } slow, { $suspects } suspect, { $out } left out
fleet-none = No machine is slower than its peers.
fleet-no-peers = No machine has peers to be compared with.
fleet-suspect-slow-one-run = A suspect was slow at one run. Measure it again after two hours (--write-suspects FILE): what is slow again is called slow.
fleet-false = With the machines of all runs permuted at random, { $share } of the machines are called slow.
fleet-once = The share of false verdicts is not known: that needs five machines of a kind, half of them with two runs at least two hours apart.
fleet-all-machines = All { $flagged } machines with more figures
fleet-work-lost-up-where = Work lost: up to { $most } where it is bound by { $by }.
fleet-other-facts-divide-them = Other facts that divide them in the same way: { $verbatim-alike }.
fleet-other-facts-divide-them-and-more = Other facts that divide them in the same way: { $verbatim-alike } and { $more } more.
fleet-no-healthy = { $key }: no peer is healthy by what is published of the processor: { $figure } is { $best } at best, the limit is { $expected }
fleet-robust-deviation-machines-mode = The robust deviation is that of the machines of a mode, from their median absolute deviation, over the median. A figure with several modes has a row of each.

## history

history-change-found-runs-one = A change is found from { $n } runs of one machine. Machines with fewer: { $few } of { $hosts }, with { $most } at most.
history-no-run = There is no run with a time that was fit.
history-changed = Since { $day }: settings of { $verbatim-of } changed: { $facts }.
history-vertical-line-change-figure = A vertical line is a change of the figure, with the medians before and after it. A dotted line is a change of settings, listed below.
history-what-changed = What changed with it: { $facts }.
history-higher = Since { $day }: { $figure } of { $verbatim-machine } is { $share } higher ({ $before } before, { $after } since).
history-lower = Since { $day }: { $figure } of { $verbatim-machine } is { $share } lower ({ $before } before, { $after } since).
history-all-higher = Since { $day }: { $figure } of { $n } machines is { $least } to { $most } higher.
history-all-lower = Since { $day }: { $figure } of { $n } machines is { $least } to { $most } lower.
machines = Machines: { $verbatim-names }.

## origin

on-huge-pages = { $share } on huge pages
share-on-huge-pages-unreadable = share on huge pages unreadable
cpu-asked-not-verified = CPU { $cpus } asked, not verified
cpu-asked-found-on = CPU { $asked } asked, found on { $found }
origin-every-series-spread-pages = Every series, with spread, pages and placement
origin-median-undisturbed-samples-95 = The median of the undisturbed samples, its 95 % interval, and the coefficient of variation of the samples (CV). Samples during which something else happened are marked and left out. Where it ran and on which pages was read back, not assumed.
on-cpu = CPU { $cpus }
on-node = node { $node }
share-on-node = node { $node } { $share }
memory-on = { $cpus }, memory on { $nodes }
memory-asked-not-verified = { $cpus }, memory asked on node { $node }, not verified

## page

machines-title = Results of { $others } machines
page-what-machine-says-about = What this machine says about itself; nothing was measured

## paired

paired-same = A and B differ by less than { $least }: B has { $shown } times the { $of } of A (95 % CI { $low } to { $high }).
paired-undecided = Not decided whether they differ by { $least }: B has { $shown } times the { $of } of A (95 % CI { $low } to { $high }). About { $needs } s would decide it: --budget { $needs }
paired-too-few = Not decided: too few pairs for an interval, { $pairs }. Next: --budget { $needs }
paired-by-cpu = Compared by CPU time: each command uses one CPU wholly.
paired-by-rate = Compared by the rate that the commands print.
paired-by-elapsed = Compared by elapsed time: a command waits, or uses several CPUs.
paired-within = Ratios are within pairs, not of the medians below.
paired-elapsed-ratio = Elapsed time of B over A: { $ratio } (95 % CI { $low } to { $high }); waiting and preemption count in it.
paired-cpu-ratio = CPU time of B over A: { $ratio } (95 % CI { $low } to { $high }); waiting and preemption do not count in it.
paired-at-once = Double pairs: { $pairs }, at the same time on CPUs { $first } and { $second }, exchanged after each run, in { $took } s. They share caches and memory bandwidth; --order turn runs each alone.
paired-turn = Pairs: { $pairs }, one after the other in random order, in { $took } s.
paired-interrupted = Interrupted: these are the pairs until then.
paired-failed = A later run failed, and these are the pairs until then. { $why }.
paired-faster = B is faster than A: { $times } times the { $what } (95 % CI { $low } to { $high }).
paired-slower = B is slower than A: { $times } times the { $what } (95 % CI { $low } to { $high }).

## placement

place-where = Where to run; from { $source }
place-left = Left for the system, interrupts and everything else: CPUs { $left }.
place-cannot = Cannot be said: { $why }

## plan

plan-estimated-time-nothing-measured = { $case }, estimated time { $seconds }. Nothing was measured or saved.
the-time-budget-of-is-less = The time budget of { $budget } is less: cases are shortened, and the last may be left out.
the-plan-of-a-run-2 = The plan of a { $depth } run

## proof

proof-subtitle = Pinned against unpinned; rate: { $rate }

## section

machine-without-model = A machine that does not say its model
environment-pass = Environment: PASS.
environment-warn = Environment: WARN, some numbers may be off.
environment-fail = Environment: FAIL, the numbers may not be those of the machine.
sentence = { $what }.

## bandwidth-scaling

every-number-of-threads-with-spread-and = Every number of threads, with spread and placement
bandwidth-scaling-bandwidth-over-number-threads = Bandwidth over number of threads
bandwidth-scaling-both-axes-logarithmic-dashed = Both axes are logarithmic. Dashed vertical lines are where the cores of a node, or all cores, are in use.
most-of-limit = { $what }, { $kernel }: 95 % of { $limit } from { $threads } on
within-noise = { $said } ({ $fewest } to { $most } by the noise)
or-more-by-noise = { $said } ({ $fewest } or more by the noise)
of-kernel = { $what }, { $kernel }: { $why }
one-node = one node
all-memory = all memory

## cache-bandwidth

cache-bandwidth-what-each-cache-delivers = What each cache delivers to one core
every-working-set-with-spread-and-code = Every working set, with spread and code
cache-bandwidth-bandwidth-one-core-over = Bandwidth of one core over working set
cache-bandwidth-both-axes-logarithmic-dashed = Both axes are logarithmic. Dashed vertical lines are the capacities that the machine states.

## data-content

data-content-zeros-beside-other-data = Zeros beside other data, one thread
data-content-reads-elsewhere-here-find = Reads elsewhere here find random data, and writes store bytes that are not zero. A benchmark on zeroed buffers is off by these factors.

## stream

as-stream-prints-it-the-best = As STREAM prints it: the best
scalar-loops-over-64-mib-on-base = Scalar loops over 64 MiB on base pages, not STREAM. add_sum is what one lineage of lmbench calls add: the sum of one array, counted as three.

## bandwidth

bandwidth-by-kind-of-access = Bandwidth by kind of access
bandwidth-bytes-program-reads-writes = Bytes that the program reads and writes per second, 1 GB/s = 1e9 B/s; what the hardware moves besides (a line read before it is written) is not counted. The mixes change their lines in place, so that everything that moves is counted.
what-the-memory-could-deliver-is-not = What the memory could deliver is not known: { $why }.
memory-of-model-could = Memory of this CPU model could deliver { $peak } at most: { $channels } channels of the sockets that show at { $transfers }, as the vendor states. The modules may be slower or fewer, and a guest shares them.
all-threads-read = All threads together read { $median }, which is { $share } of that.
more-sockets-than-show = More than all: this machine has memory of more sockets than show.
firmware-is-wrong = More than all: what firmware states of the modules cannot be right.
bars-are-medians-whiskers-95-intervals-diamonds = Bars are medians, whiskers 95 % intervals, diamonds other modes and placements of the CPUs.
memory-could = The memory could deliver { $peak }: { $channels } channels at { $transfers }.
memory-could-at-most = The memory could deliver { $peak }: { $channels } channels at most, since the slots' names do not tell at { $transfers }.

## core

branch-hit-and-branch-miss-are-a = branch_hit and branch_miss are a step of a random generator and a branch on it: where all branches are predicted, the time is that of the generator's dependent instructions, not a branch's.
one-core-a-multiply-add-is-two = one core; a multiply-add is two operations on each number
ipc-is-derived-the-kernel-s-own = IPC is derived: the kernel's own instructions, which are known, by the measured frequency; nothing was counted
core-operations-per-cycle-per = Operations per cycle and per second
all-cpus-at-once-without-a-pause = all CPUs at once, without a pause
the-frequency-second-by-second = The frequency second by second
multiply-adds-on-single-numbers-and-on = Multiply-adds on single numbers and on vectors, and 8-bit dot products (vnni, amx, sme), in turn with the chain that shows the frequency.
core-every-series-spread-placement = Every series, with spread and placement
no-misprediction-seen = random branches were not slower than constant ones

## core-to-core

core-to-core-pairs-more-one-mode = Pairs with more than one mode: { $split } of { $cells }. There is no value between the modes, so the one seen most often stands here. An asterisk marks them.
core-to-core-pairs-another-distance-while = Pairs that were at another distance for a while: { $moved } of { $cells }. Their values are those of the nearest placement in which each CPU has a core of its own.
of-were-measured-drawn-from-each-relation = { $pair } of { $pairs } were measured, drawn from each relation (cpulens run --all-pairs measures all).
series-are-too-many-for-a-page = { $all } series are too many for a page; the format csv lists them.
core-to-core-every-pair-spread-placement = Every pair, with spread and placement
core-to-core-round-trips-there-back = Round trips: there and back. Half of one is the time one way, as other tools print it.
by-what-two-cpus-are-stated-to = { $what }, by what two CPUs are stated to share
groups-were-not-looked-for = Groups were not looked for: { $why }.
by-these-times-the-cpus-are-one = By these times the CPUs are one group: no gap divides near pairs from far ones.
core-to-core-darker-faster-asterisk-marks = { $pair } of { $cpus }, darker is faster. An asterisk marks a pair with more than one mode.
groups-as-stated = By these times the CPUs fall into { $number }, as the machine states ({ $relation }): { $groups }. Inside { $within }, between { $between }.
groups-not-stated = By these times the CPUs fall into { $number }, which the machine does not state: { $groups }. Inside { $within }, between { $between }.
measured-by = { $metric } by { $method }
metric-in-unit = { $metric } in { $unit }
metric-in-unit-by = { $metric } in { $unit } by { $method }
median-per-pair = { $what }, median per pair of CPUs
core-to-core-title = Core to core: { $what }

## databases

nopm-is-no-tpc-result = NOPM are new orders per minute, those that the standard wants rolled back among them, and not a TPC result: no keying and think times and no terminals, a warehouse drawn for each transaction (unless binding=home), Delivery within its request, windows of seconds and not hours, nothing made durable (unless durable=yes), no ACID tests. tpmC is a trademark of the TPC.
every-quantity-of-every-step = Every quantity of every step
interval-of-the-next-run = 95 % interval: of the next run's median, by what repeats, reference samples and others' CPU time vary by; efficiency: throughput of each core; CPU use, IPC, stalls (cycles in which it waits for memory or other units), frequency, and CPU time and context switches of each event are the engine's; latencies are medians over the windows
databases-clients-same-cpus = { $named }, clients on the same CPUs
databases-clients-their-siblings = { $named }, clients on their siblings
both-axes-are-logarithmic-so-that-what = Both axes are logarithmic, so that what scales is a straight line.

## energy

energy-package-dram-counters-count = Package and DRAM counters count all programs and idle power. Energy per operation is the mean power of the case over the rate of its work, its preparation included.

## environment

what-was-seen-before-the-first-measurement = What was seen before the first measurement

## findings

what-the-rule-looked-at = What the rule looked at
no-rule-found-anything-wrong = No rule found anything wrong.
so-it-is-and-nothing-to-act = Notes, nothing to do: { $ids }.

## imported

what-is-doubtful-about-them = What is doubtful about them

## lat-mem-rd

lat-mem-rd-case = lat_mem_rd -t { $threads }, stride { $stride }, lineage { $lineage }
lat-mem-rd-lmbench-prints-least = { $pages }{ $buffer }; lmbench prints the least
all-sizes-as-lat-mem-rd-prints = All sizes, as lat_mem_rd prints them
lat-mem-rd-every-load-another-page = Every load is on another page than the last: above the reach of the first-level TLB each one misses it. Points between 0.4 and 4 times the last-level cache scatter with what others leave of it and are no memory latency.
x-last-level-cache-not-memory = { $short }x last-level cache: not memory

## latency

latency-ascending-addresses-stride-order = Ascending addresses (stride order) show what the prefetchers hide. They are no latency.
working-sets-below-four-times-the-last = Working sets below four times the last-level cache are not memory, and are marked so.
l-memory-mix-not-memory = L{ $last }/memory mix: not memory
stated-the-cache-s-size-range-of = stated: the cache's size; range: of the points, over their median
the-curve-leaves-a-plateau-at = The curve leaves a plateau at { $knees }.
latency-load-use-latency-over = Load-to-use latency over working set
level-not-found = { $level }: not found: { $why }
level-not-found-by = { $level }, { $kernel }: not found: { $why }

## loaded-latency

the-ring-was-less-than-four-times = The ring was less than four times the last-level cache, or the other cores did not run: the numbers are below, and no curve is made of them.
every-level-with-spread-pages-and-placement = Every level, with spread, pages and placement
loaded-latency-latency-over-bandwidth-others = Latency over the bandwidth that others use
loaded-latency-both-axes-begin-nothing = Both axes begin at nothing. The first point is the idle machine, the last all that the others can read. { $said }.

## machine

all-facts-and-where-they-were-read = All { $facts } facts, and where they were read
at-work-do-not-apply = { $begins } at work, { $affected } do not apply
machine-online-drawn-inside-one = { $socket }{ $node }, { $core } and { $online } online, drawn inside one another with the caches they share.
mitigations-open = { $others }, { $n } open: { $flaws }

## memory-management

additions-per-second-on-the-first-cpu = Additions per second on the first CPU of a pair alone, on the second alone, and on both together: twice as many on two cores, hardly more on two threads of one.
memory-management-per-fault-per-base = Per fault; per base page that a fault brings; and how many such pages one fault brings on average. With several threads the time is that of each.
time-of-one-call-on-one-page = Time of one call on one page, by how many other threads of the program run on CPUs of their own, which have to forget the page too.
time-of-one-addition-of-a-thread = Time of one addition of a thread while all count at once: each in a line of its own, side by side in one line, and all in one word by atomic additions.
memory-management-latency-memory-flush-fences = Not the latency of memory: flush and fences are in these times. As written: flush and load with nothing between; fenced: each waits for the other; flush: flush and fence alone.
latency-of-dependent-loads-while-the-measuring = Latency of dependent loads while the measuring thread may fill only so many ways of that cache.
an-asterisk-marks-what-was-seen-in = an asterisk marks what has more than one mode

## nearest

nearest-ref-times-apart = ref:{ $near } ({ $apart } times apart in { $figures })
nearest-distance-root-mean-square = The distance is the root mean square of the ratios' logarithms. Published figures are single ones, of another system and another day: they say what kind of machine this is like, not that it is as fast. More: cpulens show ref:{ $name }

## guest

guest-emulated = This guest was emulated ({ $accelerator }): its figures show that it answers, and say nothing of a real one.
host-and-guest-did-the-same-one = Host and guest did the same one after the other, with a thread bound to each CPU; what the guest cannot explain, its host had.

## noise

noise-detour-interval-more-thread = A detour is an interval of { $threshold } or more in which a thread that only polls the clock did not run; one poll takes { $least }. The parts add up to the share lost. SMI or hypervisor: detours that no kernel counter explains, or that last far longer than the counted events take.
tasks-waited = Some task waited for a CPU during { $share } of that time, threads of this program included (pressure stall information).
noise-both-axes-logarithmic-how = Both axes are logarithmic: how many detours of a length and longer there are in a second. A step is a kind of interruption.
sources-of-os-noise-over-time = Sources of OS noise over time
each-line-spans-from-the-cpu-that = Each line spans from the CPU that lost least to the CPU that lost most.
tasks-whose-last-cpu-was-this-one = tasks whose last CPU was this one, by their run time on all CPUs during the case
device-interrupts-during-the-case-proc-interrupts = device interrupts during the case; /proc/interrupts names them, effective_affinity_list and smp_affinity_list of /proc/irq/* give their CPUs
noise-device-interrupts-go-every = Device interrupts go to every CPU. An idle device may become active.
no-device-interrupt-is-routed-to-cpu = No device interrupt is routed to CPU { $spared }.
cpus-to-pin-to = CPUs to pin work to, least disturbed first: CPU { $best }. CPU { $first } lost { $first-share }, CPU { $last } lost { $last-share }.
noise-what-could-counted = What could not be counted
noise-undisturbed-speed-fifth-percentile = The undisturbed speed is the fifth percentile of the quanta. Direct: excess of the disturbed quanta. Indirect: excess of the eight quanta after each disturbed one, whose caches and predictors others have used. Floor shift: the undisturbed speed of each tenth of a second over that of the whole run. Frequency: the part of that shift that the core frequency explains, measured by dependent additions after each tenth. The rest comes from the sibling thread or from shared caches and memory.
whole-passes-78-497-primes-counted-each = Whole passes: 78,497 primes, counted each time
the-active-mitigations-are-not-in-this = The active mitigations are not in this record, or this CPU needs none.
active-mitigations-included-in-these-costs-cpulens = Active mitigations, included in these costs. cpulens compare shows the costs of another boot beside them:
a-system-call-that-does-nothing-getppid = a system call that does nothing (getppid)
a-signal-to-the-own-thread-with = a signal to the own thread, with its handler
from-thread-to-thread-on-one-cpu = from thread to thread on one CPU, with futexes
waking-a-thread-that-sleeps-on-another = waking a thread that sleeps on another CPU
to-each-other-cpu-of-the-process = to each other CPU of the process and back (membarrier)
how-late-a-sleep-of-100-us = how late a sleep of 100 us ends; timers of ordinary threads have 50 us of slack
a-copy-of-this-process-and-its = a copy of this process, and its end
a-copy-a-small-static-program-in = a copy, a small static program in it, and its end
waking-nobody = waking nobody

## not-measured

nothing-was-planned-these-are-results-of = Nothing was planned: these are results of other tools.
every-planned-case-was-measured = Every planned case was measured.
not-measured-what-could-read-machine = What could not be read of the machine

## numa

every-pair-of-nodes-beside-the-firmware = Every pair of nodes, beside the firmware's distance
the-buffers-were-less-than-four-times = The buffers were less than four times the last-level caches, which answered too: the numbers are below, and no matrix is made of them.
node-to-node = CPUs of node { $from }, memory of node { $to }: { $value }
in-by-numa-node-median = in { $unit }, by NUMA node, median
the-firmware-states-no-two-unlike-distances = The firmware states no two different distances from one node.
the-firmware-s-distances-agree-with-the = The firmware's distances agree with the order of measured latency in all { $comparison }.
the-firmware-s-distances-contradict-the-order = The firmware's distances contradict the order of measured latency in { $wrong } of { $comparison }.
farthest-from-stated = As ratios to the own node they are farthest from it between node { $from } and node { $to }: { $stated } stated, { $measured } measured.
of-own-node = { $cell }, { $ratio } of the own node's
stated-distance = { $cell }, stated distance { $distance }

## provenance

hash-of-the-measured-code-s-sources = Hash of the measured code's sources
provenance-watched-time = { $name } { $unit } (watched { $percent } of the time)
every-case-in-the-order-in-which = Every case in the order in which it ran

## scaling-run

every-repeat-with-its-placement = Every repeat, with its placement
efficiency-throughput-over-cores-times-that-of = efficiency: throughput over cores times that of one core; slowest: time of the slowest copy over that of the fastest
throughput-over-cores = Throughput over cores: { $workload }
scaling-run-both-axes-logarithmic-so = Both axes are logarithmic, so that what scales is a straight line. Lines named with siblings use every thread of these cores.

## stability

samples-of-the-reference-sample = Samples of the reference sample
frequency-median = Frequency of the reference samples, median
reference-sample-the-same-short-work-between = Reference sample: the same short work between the cases
stability-over-run-each-line = { $sample } over the run; each line spans the lowest to the highest window of a sample. A level line means that the machine held still.

## tlb

tlb-one-line-each-page = { $pages }{ $buffer }; one line in each page, less as many lines packed densely
tlb-reach-tlbs-found = Reach of the TLBs: not found: { $why }
huge-pages-are-real-small-pages-inside = Huge pages are real: small pages inside of them do not miss the first-level TLB.
huge-pages-are-backed-by-small-ones = Huge pages are backed by small ones: small pages inside of them miss the first-level TLB as base pages do.
whether-huge-pages-are-real-is-unknown-2 = Whether huge pages are real is unknown. { $why }
the-tlb-friendly-order-stays-within-256 = The TLB-friendly order stays within 256 KiB at a time, which may also keep rows of memory open: the difference is an upper bound.
not-a-tlb = Not a TLB: { $why }

## undisturbed-speed

the-baseline-undisturbed-speed-is-the-s = The baseline (undisturbed speed) is the { $mode }'s pass with interrupts off, { $place }.
all-passes-ran-the-same-machine-code = All passes ran the same machine code ({ $code }) and found 78,497 primes.
the-guest-was-emulated-tcg-its-times = The guest was emulated (TCG): its times do not describe a CPU, and are not compared.
interrupts-were-off-for-at-the-longest = Interrupts were off for { $off } at the longest.

## unixbench

faults-and-switches-of-each-test-per = Faults and switches of each test, per second
unixbench-context-switches-where-two = Context switches by where the two processes are
settings-of-this-machine-that-move-these = Settings of this machine that move these tests
every-series-with-spread-and-what-ran = Every series, with spread and what ran
score-geometric-mean-of-the-passes-but = score: geometric mean of the passes but the third that counted least, as UnixBench makes it; CV: of all passes; kernel: share of the CPU time; CPUs: how many were busy
of-all-copies-together-with-those-of = of all copies together, with those of their children that they waited for; waits: a process gave its CPU up; preempted: it lost it to another
scores-over-those-of-the-baseline-machine = Scores over those of the baseline machine, times ten; the last is their geometric mean.
gain-of-the-means-of-all-repeats = gain: of the means of all repeats; apart: every repeat of one is above every repeat of the other; of three with three chance alone does so one time in ten; nearest: the ratio of the two repeats that are nearest to each other (the least of a gain over the most of what it is set against)

## workloads

workloads-terms-sysbench-0-4 = In the terms of sysbench 0.4 (10,000 events up to 50,000, extrapolated from those that were measured) and of 1.0 (events per second up to 10,000). It tests the divider alone: beside it the time of one division.
workloads-pow-7-999999-pi = pow: 7^999999; pi: 5000 digits of pi. Elapsed until the last copy has ended, and the CPU time of a copy. It is the time of the bc that is installed: compare equal versions only.
workloads-time-one-turn-thread = Time of one turn of a thread, of several the threads over the turns per second of all together; these turns per second; and the turns of the thread that had fewest over those of the one that had most. The spin lock and the mutex guard one addition.
openssl-thousands = 1000s of bytes per second, as openssl speed prints them, by the size of a block in bytes; `32 on 2`: threads that share CPUs
workloads-every-series-spread-code = Every series, with spread and code
