## beside

why-not-measured-here = this record has not measured what stands for it
why-cores-unknown = a database's figure is one of so many cores, and theirs does not tell how many the server had
remedy-same-server = the same server asked on both machines: cpulens db point-select or tpcc, on as many cores
why-no-series = no series of cpulens has this definition
remedy-run-that-tool = that tool run here, and its output in place of the record

## subject

subject-on = { $subject } ({ $on })
subject-of-on = { $subject } ({ $of }, { $on })
on-one-copy = one copy
on-one-thread = one thread
on-smt-pair = SMT pair

## compare/summary

unlike-as-whole = a record is not comparable as a whole
only-one-record = There is one record only: nothing to compare.
no-quantity-twice = No quantity was measured in two of the records: nothing can be compared.
nothing-with-baseline = Nothing could be compared with the baseline.
nothing-claimed = Nothing is claimed of { $name } against { $base }: { $why }.
none-comparable = Nothing is claimed of { $name } against { $base }: { $n ->
    [one] { $n } ratio
   *[other] { $n } ratios
    }, none comparable.
faster-and-rows = { $name } { $at }. Of { $n ->
    [one] { $n } ratio
   *[other] { $n } ratios
    }, row by row, { $better } are better, { $worse } worse, { $same } the same within { $band }, { $unclear } no significant difference, { $unknown } of unknown spread.
faster-at = is faster than { $base } at { $subjects }
slower-than-at = is slower than { $base } at { $subjects }
slower-at = is slower at { $subjects }
neither = is not clearly faster or slower than { $base } at anything as a whole
differs-at = differs in some rows at { $subjects }
leans-faster-at = leans to faster at { $subjects }
leans-slower-at = leans to slower at { $subjects }
no-difference-at = shows no significant difference at { $subjects }
so-sure = { $what }, { $confidence } sure
times = { $what } { $times } times
times-in-range = { $what } { $times } times ({ $low } to { $high })
times-of-figures = { $what } { $times } times ({ $low } to { $high }, { $figures } figures)
times-from-to = { $what } { $low } to { $high } times ({ $figures } figures)
figures-beside = { $n ->
    [one] { $n } figure of { $theirs } stands
   *[other] { $n } figures of { $theirs } stand
    } beside cpulens's own of the same definition in { $ours }: { $tools }.
means-over = { $name } over { $base }, where more is better: { $means }.
different-beside = { $n ->
    [0] None is different
    [one] One is different
   *[other] { $n } are different
    } beyond noise and what the two programs may differ by; a single printed figure has no spread, and proves nothing.
counted = { $what } ({ $n })
many = Of { $n ->
    [one] { $n } record
   *[other] { $n } records
    } against { $base }, { $counts }.
many-differ = { $n ->
    [one] { $n } differs
   *[other] { $n } differ
    } by more than noise
many-do-not = { $n ->
    [one] { $n } does not
   *[other] { $n } do not
    }
many-have-single-figures = { $n ->
    [one] { $n } has
   *[other] { $n } have
    } single figures only, of unknown spread
many-have-none = { $n ->
    [one] { $n } has
   *[other] { $n } have
    } no figure in common with it
nothing-claimed-of-pairings = Nothing is claimed of { $out } of { $n ->
    [one] { $n } pairing
   *[other] { $n } pairings
    }: { $reasons }.
no-figure-says-which-faster = No figure of { $name } and { $base } says which is faster. Ratios without a better direction: { $ratios }.
no-figure-of-one = No figure of { $name } and { $base } is of one thing.
single-figures-over = { $name } over { $base }, where more is better: { $figures }. These are single figures, whose spread nobody printed.

## unlike

baseline-alone = the baseline
record-alone = this record
baseline-warn = the environment check of the baseline says WARN: { $why }
baseline-fail = the environment check of the baseline says FAIL: { $why }
record-warn = the environment check of this record says WARN: { $why }
record-fail = the environment check of this record says FAIL: { $why }
no-reason-given = no reason is given

## compare

better = better
worse = worse
different = different
same = same
unlike = unlike
no-significant-difference = no significant difference
no-spread-known = no spread known

## conditions

other-tools = other tools

## equivalent

ours-within = cpulens's own implementation of { $what }, agreeing with the original within { $share } % ({ $page })
ours-never = cpulens's own measurement of the same quantity as { $what }, never set beside the original
fix-never = outputs of that tool on both machines

## bandwidth

from-registers = it works in registers
from-not-counted-bandwidth = how much of the memory's bandwidth it used was not counted
from-lines-not-counted = lines from memory were not counted
from-read-unknown = it read { $read } from memory, and what the machine can is not in this record
from-used-of = it used { $share } of what memory delivers
from-used-cost = it used { $share } of what memory delivers: what that costs is part of its IPC
from-cores-not-stated = how many cores took part is not stated
from-one-core = one core alone
from-no-one-core = there is no run of it on one core
from-cores-alone = over as many cores that have memory to themselves

## cores

from-cpu-over-elapsed = CPU time over elapsed time
from-cycles-one-cpu = its cycles are those of one CPU
from-cpu-printed = CPU use as printed
from-cpus-not-stated = how many CPUs it used is not stated
from-given = given to it; how busy they were is not stated

## counts

not-its-own = its counters are not its own: { $why }
counted-for = counted for { $share } of the time
from-not-counted = its cycles and instructions were not counted
fix-count-it = count it: cpulens stat -- COMMAND, or perf stat
fix-count-alone = count the program alone: cpulens stat -- COMMAND, or perf stat without -a and -C
of-all-cpus = they are of all CPUs (system-wide), whatever ran on them
of-some-cpus = they are of some CPUs, whatever ran on them
scope-unknown = the output does not say whether a program or all CPUs were counted
only-user = only user mode was counted
fix-paranoid = sysctl kernel.perf_event_paranoid=1, or run as root
cycles-or-instructions = cycles or instructions were not counted
no-time = it has no time
no-elapsed = it has no elapsed time

## frequency

from-cycles-cpu = cycles over CPU time
from-cycles-elapsed = cycles over elapsed time, for CPU time is not stated
from-beside = measured beside it
from-before-after = of the machine, before and after
from-core-frequency = core frequency of the same record, one core
from-another-run = cycles over CPU time of another run of the record
fix-boost = measure it with cpulens run --only core_frequency, or count with perf stat
boost-unknown = how far it boosts is not known
boost-unknown-from = { $base } is stated, and how far it boosts is not known
from-stated = stated
from-stated-range = stated, { $low } to { $high }
from-kernel-once = reported by the kernel once
frequency-unknown = the frequency is not known
fix-frequency = import the machine's lscpu beside it, or measure it with cpulens run --only core_frequency

## instructions

from-retired = retired in the whole run
from-loop = of the loop, as assembly fixes them
from-unit-of-work = instructions for a unit of work were not counted

## ipc

from-ipc = instructions over cycles
from-printed-beside = printed beside it; whose it is is not stated
from-counted-beside = counted beside it
from-all-started = counted of all that the case started
from-ipc-derived = instructions over the cycles they took

## locality

from-local = all of its memory was local
from-other-nodes = { $share } of its memory was on other nodes, which are { $farther } times as slow
from-one-node = the machine has one NUMA node
from-numa-off = several sockets are one NUMA node (NUMA is off): what is remote cannot be determined
from-where-unknown = where its memory lay is not stated
from-remote-unknown = how much of its memory was on other nodes is not stated
from-far-unknown = how far other nodes are was not measured

## pair

from-not-looked = it was not looked for
factor-in-ipc = it is a part of the IPC of a thread

## smt

from-one-thread = one thread of each core
from-no-single-run = there is no run of it on as many cores with one thread each
fix-scale = cpulens scale has both
from-same-cores = over the same cores with one thread each

## explain/summary

as-fast = { $name } is as fast as { $base }
speed = { $name } is { $times } times as fast as { $base }
speed-at-points = { $name } is { $times } times as fast as { $base } ({ $n } points)
cause-unknown = { $speed }. The cause is unknown: { $why }.
most-of-it = { $speed }. Most of it is { $factor }: { $times }.
weighs-most = { $speed }. What weighs most is { $factor }: { $times }.
no-factor-differs = { $speed }, and no factor that is known differs.
factor-times = { $factor } { $times }
so-many-times = { $times } times
times-on-sides = { $times } times ({ $here } here, { $base } in the baseline)
value-in-range = { $value } ({ $low } to { $high })
from-to = { $low } to { $high }
as-many-instructions = Both execute as many instructions for the same work{ $why }.
instructions-depend = Whether { $name } executes more instructions than { $base } for the same work depends on the frequency it ran at: { $times } times as many{ $why }.
more-instructions = { $name } executes more instructions than { $base } for the same work: { $times } times as many{ $why }.
fewer-instructions = { $name } executes fewer instructions than { $base } for the same work: { $times } times as many{ $why }.
of-one-program = { " " }(one program on one instruction set)
of-what-others-leave = { " " }(not counted: it is what the other factors leave)
beyond-stated = Nobody measured the { $factor }, and what the others leave is more than what is stated of it allows: the residual is { $times } times. That part is no frequency: instructions for the same work, the operating system or a guest may differ.
second-thread-gains-more = A second thread of a core makes it { $here } times as fast here and { $base } times in the baseline, where one thread has an IPC of { $ipc } and { $base-ipc }: the lower IPC leaves more to a second thread.
second-thread-gains-no-more = A second thread of a core makes it { $here } times as fast here and { $base } times in the baseline, where one thread has an IPC of { $ipc } and { $base-ipc }: the lower IPC does not leave more to a second thread.
to-be-able = To be able to: { $remedy }.
runs-unlike = The two runs differ: { $why }.
beside-it = Beside it: { $factors }.
follows-from-others = Nobody measured the { $factor }: it is what the others leave, so that there is no residual to check it by.
all-accounted = The factors account for all of it: the residual is { $residual }.
residual-within = The residual is { $times } times, which is within what is not known of the factors.
residual-beyond = The residual is { $times } times: the factors do not account for all of it.
residual-one = There is no residual to check it by: { $factor } is whatever the others leave, and errors of theirs are in it.
remain-unseparated = { $times } times remain for { $factors }, which no counter separates.
follows-from-one-program = Nobody measured the { $factor }: it is what the others leave where one program executes as many instructions on one instruction set. No residual is left to check it by.
residual-is = The residual is { $times } times.
remain-uncounted = { $times } times remain for { $factors }, which nobody counted.
die-interleaving = The cause is die interleaving: { $whole } has one NUMA node for the { $dies } dies of a socket, and { $apart } measured { $own } with memory of the own die, { $mean } on average over the dies of a socket.

## work

from-not-looked-yet = not looked for yet
from-no-number = it is no number above zero

## grade

grade-noted = Noted
grade-unclaimed = Nothing is claimed
grade-refused = No ratio

## incomparable

word-definition = the benchmark's definition changed
word-meaning = unit or direction differ
word-no-ratio = a value is zero or no number
word-distance = how far the memory was is not known
word-content = the memory held other data
word-pages = other pages were asked for
word-base-page = base pages of different sizes
word-huge-share = other pages were found
word-footprint = the buffer lies in a cache on one of them
word-reach = the last-level cache ends between them
word-placement = the memory was on other nodes
word-caches = the vCPUs were on several caches on one of them
word-crowd = different numbers of CPUs took part
word-threads = different numbers of CPUs add up
word-part = a whole machine against a part of one
word-states = several modes
word-code = other machine code was the fastest
word-unfit = a machine was not fit to be measured
word-doubtful = a machine's environment check did not pass
word-tool = different programs measured
word-version = different versions of the program measured
word-kernels = the kernels' sources differ
word-depth = the depths of the plans differ
word-host = guest and bare metal, or different hypervisors
word-scope = events of different sets of CPUs were counted beside it
why-definition = its definition has version { $base } in the baseline and { $here } here: numbers of different versions are not comparable
fix-same-cpulens = measure both with the same cpulens: { $command }
why-meaning = unit or good direction differ between the records
why-no-ratio = a value is zero, negative or no number: there is no ratio
why-distance = the memory was on a node of the same number: how far that is from the CPUs is not known on both
fix-distance = import lscpu -e and numactl -H of both machines with it
why-content = the memory held { $base } data in the baseline and { $here } data here
fix-content = measure both with the same content: { $command }
why-pages = asked for { $base } pages in the baseline and { $here } pages here
fix-pages = { $command } --where pages={ $pages } on both
why-base-page = base pages have { $base } in the baseline and { $here } here: larger ones need fewer page walks
fix-base-page = kernels with base pages of one size on both, or { $command } --where pages=thp
why-huge-share = { $base } of the memory was on huge pages in the baseline and { $here } here
fix-huge-share = the same transparent huge page setting on both (echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled), then { $command }
why-footprint = the buffer was { $base } times the last-level cache in the baseline and { $here } times here: below { $limit } a cache answers, not memory
fix-footprint = free memory, so that the buffer can be large, then { $command }
why-reach = this size is { $base } times the last-level cache of the baseline and { $here } times the one here: a cache answers on one and memory on the other
fix-reach = cpulens show RECORD of both names the latency of each level, which does not depend on the size
why-placement = { $base } of the memory was on the CPUs' own nodes in the baseline and { $here } here
fix-nodes = { $command } --nodes 0 on both
caches-baseline = the vCPUs were on several last-level caches in the baseline and on one here
caches-here = the vCPUs were on one last-level cache in the baseline and on several here
pin-virtual = pin the virtual CPUs on the host, as by virsh vcpupin
why-crowd = { $base ->
    [one] { $base } CPU
   *[other] { $base } CPUs
    } took part in the baseline and { $here ->
    [one] { $here } CPU
   *[other] { $here } CPUs
    } here, and they wait for each other
fix-cpus = { $command } --cpus LIST with { $cpus ->
    [one] { $cpus } CPU
   *[other] { $cpus } CPUs
    } on both
why-threads = { $base ->
    [one] { $base } CPU
   *[other] { $base } CPUs
    } in the baseline and { $here ->
    [one] { $here } CPU
   *[other] { $here } CPUs
    } here
why-part = { $base } took part in the baseline and { $here } here
all-cores = all of the machine's cores ({ $n })
some-cores = some of the machine's cores ({ $n })
fix-cpus-or-core = { $command } --cpus LIST with { $cpus ->
    [one] { $cpus } CPU
   *[other] { $cpus } CPUs
    } on both, or the ratio per core
fix-part = { $command } without --cpus, --nodes or a cpuset on both
why-states = its modes are { $base } in the baseline and { $here } here: a median across modes is no value of either
fix-states = { $command } again, on CPUs that nothing moves
why-code = { $base } was the fastest code in the baseline and { $here } here
fix-unfit = measure again: cpulens run
why-tool = the baseline was measured by { $base } and this by { $here }: what rows of one definition say is said row by row
fix-tool = measure both with cpulens run
why-version = the baseline was measured by version { $base } and this by { $here }; definitions are compared row by row
fix-same-cpulens-plain = measure both with the same cpulens
why-kernels = the machine code that was timed was made from different sources
why-depth = the baseline was measured at depth { $base } and this at { $here }: buffers, sizes and numbers of samples differ
fix-host = measure both as guests, or both on bare metal
why-guest-here = the baseline ran on bare metal and this was a guest of { $hypervisor }
why-guest-baseline = the baseline was a guest of { $hypervisor } and this ran on bare metal
why-guests = the baseline was a guest of { $base } and this was a guest of { $here }
why-benchmark = { $what }: { $base } in the baseline and { $here } here
fix-benchmark = results of one tool in one version, and the same of its figures, on both
why-changed = ours of { $what } was set beside the original in version { $version }, and this record has version { $here }
fix-changed = measure it with this cpulens: { $command }
why-scope = the events beside it were counted of { $base } in the baseline and of { $here } here: only times compare
fix-scope = count the program alone on both: cpulens stat -- COMMAND, or perf stat without -a and -C
why-software = its { $name } is { $base } in the baseline and { $here } here
fix-software = the same { $name } on both
word-another-tool = another tool
word-another-figure = another of the tool's figures
word-another-version = another version of the tool
word-ours = ours of the same definition
word-never-beside = ours was never set beside the original
word-not-quite = ours is not quite the same
word-os = other operating systems
word-server = other servers
word-transport = clients reached the server in other ways
word-compiler = built with other compilers or flags
not-stated = not stated
of-program = the program
of-all = all CPUs
of-some = some CPUs
of-nobody-knows = nobody knows what
