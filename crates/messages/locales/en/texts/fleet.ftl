## check

check-empty = the record has no figure that a check looks at
check-limit-across-caches = { $verbatim-name } has a limit, and was measured while the vCPUs were on several last-level caches, which is { $verbatim-across }
check-limit-unmeasured = { $verbatim-name } has a limit and was not measured
check-time-over = the time was over; not measured: { $missing }
check-unfinished = the check did not end: { $measured } of { $all } cases were measured
check-incomplete = { $missing } of { $all } cases have no result, the first { $case }: { $why }
throttle-cores = { $more } thermal throttle events of cores during the check
throttle-packages = { $more } thermal throttle events of packages during the check
errors-corrected = { $more } corrected memory errors during the check
errors-uncorrected = { $more } uncorrected memory errors during the check

## group

key = { $model }, stepping { $stepping }, sockets { $sockets }, cores { $cores }, CPUs { $cpus }, nodes { $nodes }, hypervisor { $hypervisor }

## headline

statistic = Values are the 5th percentile of times and the 95th of rates in the median visit, of frequencies the mean, of pairs of CPUs the mean of the middle 90 %. Reports show medians.
across-caches = { $figure } (CPUs across L3 caches)
core-to-core = core to core round trip
core-to-core-of = core to core round trip ({ $relation })
system-call = system call time
latency-base = { $level } latency on base pages
latency-huge = { $level } latency on huge pages

## history

unfit = not fit to be measured: { $why }
no-time = it has no start time
time-unread = its time cannot be read: { $verbatim-started }

## loss

smt-off = SMT is off or CPUs are offline: CPUs { $cpus }, on machines with as many cores { $others }
quota-claim = A quota allows { $quota } CPUs' worth of time; visible CPUs: { $cpus }
thp-claim = Transparent huge pages (THP) are off, so large working sets pay for page walks
thp-claim-process = Transparent huge pages (THP) are off for this process and its children

## modes

and-more = { $verbatim-first } and { $more } more

## profile

no-limit-profile = the profile has none
worse-than = 5 % (warning) and 10 % (critical) worse than { $verbatim-name }
as-good = as good as { $verbatim-name }
no-limit-record = { $verbatim-name } does not have it
as-published = as published of { $verbatim-name }
no-limit-published = nothing is published of it
latency-published = { $verbatim-metric } of { $verbatim-design }: { $verbatim-source }

## published

published-differs = as published of { $verbatim-name }, which has { $verbatim-parts }
no-limit-like = { $verbatim-name } states nothing of like kind
published-limit = { $what }: { $value } ({ $basis }); another definition, so { $warn } (warning) and { $critical } (critical)
published-latency = memory latency of { $verbatim-name } by { $by }
published-frequency = base frequency of { $verbatim-name }
published-read-bandwidth = read bandwidth of { $verbatim-name } by { $by }
published-triad-bandwidth = triad bandwidth of { $verbatim-name } by { $by }
published-least = the least that its vendor states

## runs

clock-unread = { $verbatim-given }: its time cannot be read: { $verbatim-started }
clock-unknown = { $verbatim-given }: it has no start time
clock-wrong = { $verbatim-given }: its clock says { $verbatim-started }, over a year from the others
same-run = the same run as { $verbatim-same }
never-answered = no run: it never answered
unnamed = { $records } records without a name: each taken as a machine of its own
name-of-machines = { $verbatim-name } is the name of { $machines } machines
name-of-kinds = { $verbatim-name } is { $kinds } kinds of machine: two hosts with one name, or changed hardware
renamed = { $verbatim-names }: one machine that was renamed, or several with one identity
at-once = { $verbatim-name }: a run began before the one before it had ended, so two ran at once or two hosts have this name
one-boot = { $verbatim-names }: one boot, so one machine with several names, or its containers
boots-alternate = { $verbatim-name }: two boots alternate, so two hosts have this name
no-measurements = no measurements: { $verbatim-figures }
other-name = no run has this name, and { $verbatim-name } has one
fact-alternates = { $verbatim-name }: { $verbatim-fact } alternates between { $verbatim-values }, so two hosts may have this name

## tolerance

no-limit-peers = no peer has it
no-run-at-all = no machine has a run
limits-few = limits take { $needed } healthy machines of one kind: the largest kind, { $key }, has { $machines }
healthy = { $machines } healthy machines: { $key }
no-limit-few = too few peers have it ({ $machines })
no-limit-median = its median is no positive number
no-limit-apart = its peers lie too far apart: { $deviation } %
limit-inside = { $machines } machines: median { $median }, robust deviation { $deviation } %; 99 % of such machines lie inside with 95 % confidence
limit-floor = { $machines } machines: median { $median }, robust deviation { $deviation } %; 99 % of such machines lie within { $inside } % with 95 % confidence, and no limit is nearer than 3 %
two-modes = two modes of healthy machines: { $low-machines } at { $low } and { $high-machines } at { $high }; 5 % (warning) and 10 % (critical) worse than the worse one

## unite

by-system = { $machines } known by the id of their operating system, which clones share: the product UUID was not read
clones = { $verbatim-names }: machines with one id of the operating system, as clones of an image have

## verdict

left-out = { $verbatim-name }: { $why }
cost-basis = Work lost is that of a program which waits for nothing but the figure that is worse; one that waits for it half of its time loses about half.
few-unjudged = { $key }: fit machines: { $n }, too few for peers; they are not judged, for nothing is published of the processor
few-by-published = { $key }: fit machines: { $n }, too few for peers; judged by what is published of the processor: { $verbatim-figures }
unfit-newest = its newest run was not fit ({ $why }), it is judged by that of { $verbatim-started }
no-figure = has no figure that machines are compared by
other-unit = its { $verbatim-figure } has another unit than its peers'
several-kernels = { $key }: { $verbatim-figure } was measured by several versions of the code, which are not compared
lacks = has no { $verbatim-figures }, which its peers have
fact-of-peers = { $verbatim-fact } { $verbatim-own } (peers { $verbatim-peers })
common-loss = { $key }: { $count } of { $machines } have { $verbatim-loss }, so none is slow by it
