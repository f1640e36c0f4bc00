### The summary: the first screen of a report. Syntax: projectfluent.org. A key and its arguments are the same in every language.

## Header

cpus = { $count ->
    [one] 1 CPU
   *[other] { $count } CPUs
}
vcpus = { $count ->
    [one] 1 vCPU
   *[other] { $count } vCPUs
}
cores = { $count ->
    [one] 1 core
   *[other] { $count } cores
}
sockets = { $count ->
    [one] 1 socket
   *[other] { $count } sockets
}
nodes = { $count ->
    [one] 1 NUMA node
   *[other] { $count } NUMA nodes
}
machines = { $count } machines
several-machines = These files are of several machines: import those of each by themselves for figures and findings.
no-smt = no SMT
unknown-machine = Processor of unknown model
imported = imported
published = published
comma = {", "}
semicolon = {"; "}
record = Record
doubts = Warnings
doubt-in-file = { $file }: { $what }
doubt-in-file-and-line = { $file }, line { $line }: { $what }
doubt-in-line = line { $line }: { $what }
read-files = { $count ->
    [one] 1 file
   *[other] { $count } files
}
read-facts = { $count ->
    [one] 1 fact
   *[other] { $count } facts
}
read-cases = { $count ->
    [one] 1 case
   *[other] { $count } cases
}

## Environment check

environment-pass = Environment: PASS
environment-warn = Environment: WARN
environment-fail = Environment: FAIL
nothing-found = nothing disturbed the measurement
more-causes = { $count } more
unmeasured = Nothing was measured: the machine's own description.
cause-contention-around = CPU contention { $share } before and after the run
cause-contention-during = CPU contention { $share } while the cases ran
cause-contention-unknown = CPU contention not measured
cause-steal = steal time { $share }
cause-runnable = { $count ->
    [one] 1 other task was runnable
   *[other] { $count } other tasks were runnable
}
cause-swapping = swapping
cause-disturbed = { $share } of the samples disturbed
cause-quota = CPU quota of { $cpus }
cause-cpuset = only { $usable } of { $online } CPUs usable
cause-below-base = frequency { $measured }, below base { $rated }
cause-below-boost = frequency { $measured }, below boost { $rated }
cause-unsteady = frequency varied from { $low } to { $high }
cause-drift-frequency = frequency drifted by { $range }
cause-drift-ports = operations per cycle drifted by { $range }
cause-drift-l2 = L2 latency drifted by { $range }
cause-drift-l3 = L3 latency drifted by { $range }
cause-drift-memory = memory latency drifted by { $range }
cause-drift-placement = core-to-core latency drifted by { $range }
cause-moved = vCPUs moved in { $moved } of { $checked } cases
cause-imported = results of other tools
cause-other-machine = { $count ->
    [one] 1 file of another machine
   *[other] { $count } files of other machines
}
cause-warnings = { $count ->
    [one] 1 import warning
   *[other] { $count } import warnings
}

## Figures

column-median = median
column-interval = 95 % CI
column-cycles = cycles
or = or
multimodal = * several modes, each with its number of samples: no single value
no-interval = Without CI: computed from several measurements, or too few samples.
note-modes = modes { $levels }
moved = ~ frequency, cache, memory or placement changed while it was measured
figure-core_frequency = Core frequency
figure-vector_flops = Vector FMA, one core
figure-branch_miss = Branch misprediction
figure-l1_latency = L1 latency
figure-l2_latency = L2 latency
figure-l3_latency = L3 latency
figure-memory_latency = Memory latency, { $page } pages
figure-memory_latency_unstated = Memory latency, base pages
figure-memory_latency_huge_pages = Memory latency, huge pages
figure-memory_latency_grouped = Memory, few TLB misses
figure-largest_working_set_latency = Random access, { $page } pages
figure-largest_working_set_latency_unstated = Random access, base pages
figure-largest_working_set_latency_huge_pages = Random access, huge pages
figure-loaded_latency = Memory latency under load
figure-loaded_latency_huge_pages = Loaded latency, huge pages
figure-read_bandwidth_one_core = Read bandwidth, one core
figure-read_bandwidth_all_cores = Read bandwidth, { $of } CPUs
figure-copy_bandwidth_all_cores = Copy bandwidth NT, { $of } CPUs
figure-core_to_core_latency = Core to core, { $of }
figure-core_to_core_latency_farthest = Core to core, { $of }
figure-remote_memory_latency = Remote latency, { $of }
figure-remote_memory_bandwidth = Remote bandwidth, { $of }
figure-minor_page_fault = Minor page fault
figure-tlb_shootdown = { $of ->
    [one] munmap, 1 other thread
   *[other] munmap, { $of } other threads
}
figure-system_call = System call
figure-primes_one_core = sysbench primes, one core
figure-primes_all_cores = sysbench primes, { $of } CPUs
figure-os_noise = OS noise, CPU { $of }
figure-longest_detour = Longest detour, CPU { $of }
figure-unixbench_index = { $of ->
    [one] UnixBench index, 1 copy
   *[other] UnixBench index, { $of } copies
}
figure-unixbench_index_unstated = UnixBench index
figure-unixbench_index_all_copies = { $of ->
    [one] UnixBench index, 1 copy
   *[other] UnixBench index, { $of } copies
}
figure-scaling_throughput_one_core = Throughput, one core
figure-scaling_throughput_all_cores = Throughput, all cores
figure-database_throughput = Database throughput
relation-siblings = SMT siblings
relation-cluster = same cluster
relation-l3 = same L3
relation-l3-stated = L3 as stated
relation-die = same die
relation-node = same node
relation-socket = same socket
relation-other-socket = other socket
note-at-base = as base frequency
note-at-boost = as boost frequency
note-below-base = { $share } below base
note-below-boost = { $share } below boost
note-above-base = { $share } above base
note-above-boost = { $share } above boost
note-as-expected = as expected
note-better = ahead of expected
note-of-expected = { $share } of expected
note-rank = rank { $place } of { $of }
note-of-model-peak = { $share } of CPU memory peak
legend-expected = Expected: as published for { $name }.
note-rank-lat_mem_rd = rank { $place } of { $of } (lat_mem_rd: { $time })
note-rank-primes = rank { $place } of { $of } (sysbench 0.4: { $time })
note-of-kind-lat_mem_rd = same design { $span } (lat_mem_rd)
note-of-kind-primes = same design { $span } (sysbench 0.4)
legend-of-kind = Same design: { $name } machines of the catalogue.
legend-rank = Rank: among machines of the catalogue.
note-of-peak = { $share } of memory peak
note-each-gets = { $share } each
note-less = { $share } less
note-times-idle = { $times } x { $idle } idle
note-not-above-idle = not above { $idle } idle
note-times-local = { $times } x { $local } local
note-of-local = { $share } of local
note-elsewhere = { $share } at { $value } (CPUs moved)
note-round-trip = round trip { $time }
note-on-base = { $time } on { $page } pages
note-on-base-unstated = { $time } on base pages
note-still-rises = rising at { $size }
note-per-cycle = { $count }/cycle
note-times-one = { $times } x one
note-tests = { $tests ->
    [one] partial: 1 test
   *[other] partial: { $tests } tests
}
note-times-one-copy = { $times } x one copy

## Tables

table-scaling = Scaling of { $workload }
table-unixbench = UnixBench tests (index)
copies-between = Also with { $copies } copies, see --full
more-results = { $count ->
    [one] 1 more result with as many copies, see --full
   *[other] { $count } more results with as many copies, see --full
}
table-noise = OS noise by CPU
table-database = { $workload } on { $engine }
table-of-file = { $title }, { $file }
table-of-file-and-machine = { $title }, { $file } ({ $machine })
table-imported = Results
table-imported-of = Results: { $of }
table-machine = Machine
table-against = Compared with the other record
table-against-named = Compared with { $name }
table-predictions = Predicted, not measured
predicted-alone = Each change alone; a range over programs.
table-placement = Placement, by what the machine states
table-placement-measured = Placement, by measurements
placement-left = For the system and interrupts: CPUs { $cpus }
column-here = this record
column-other = the other record
column-test = test with
column-cpus = CPUs
column-cores = cores
column-nodes = memory on node
column-memory = memory
times-one = { $times } x
times-range = { $low } to { $high } x
change-dimms = Memory at { $speed }
change-bound = One process per NUMA node
change-smt_off = One thread per core
change-huge_pages = Huge pages
change-frequency = Core frequency { $frequency }
change-cores = { $cores ->
    [one] Workload on 1 core
   *[other] Workload on { $cores } cores
}
list-core = Core probes, by cpulens run --only ID
list-memory = Memory probes
list-system = Probes of threads, operating system and noise
list-workloads = Workloads and others
list-rules = Rules, which give the findings of run, show and diagnose
list-next = One of them: cpulens explain ID. A group: cpulens list memory. All: --full
list-definition = definition
name-a-change = name a change; each is predicted alone
ask-dimms = memory modules at another speed
ask-bound = one process per NUMA node, with its memory
ask-smt_off = one thread per core
ask-huge_pages = huge pages for all programs
ask-frequency = another core frequency
ask-cores = the scaling run's workload on N cores
such-as = such as:
part-base_frequency = Base frequency
part-boost_frequency = Boost frequency
part-governor = Frequency governor
part-caches = Data caches
part-caches_total = Data caches, total
part-modules = Memory modules
part-huge_pages = Transparent huge pages
part-balancing = NUMA balancing
part-isolated = Isolated CPUs
part-offline = Offline CPUs
part-core_kinds = Core types
part-usable = Usable CPUs
part-quota = CPU quota
part-container = Container
part-board = System
part-firmware = BIOS, microcode
part-command_line = Kernel command line
part-scheduler = Loaded scheduler
part-iommu = IOMMU
part-memory_errors = Memory errors
part-mitigations = Mitigations
drawn-socket = socket { $id }
drawn-node = node { $ids }
drawn-cpus = CPUs { $cpus }
drawn-no-cpus = no CPUs
drawn-distances = distances { $all }
drawn-elsewhere = on no known node
column-throughput = throughput
column-efficiency = per core
column-ipc = IPC
column-frequency = frequency
column-copies = { $count ->
    [one] 1 copy
   *[other] { $count } copies
}
column-times = times
column-lost = lost
column-detours = detours
column-median-length = median
column-longest = longest
column-source = mostly to
column-connections = clients
column-p99 = p99
column-held-by = limited by
column-value = value
action-for = { $workload }: { $action }
remedy-is = Remedy: { $action }
more-rows = { $count ->
    [one] and 1 more row
   *[other] and { $count } more rows
}
more-figures = { $count ->
    [one] and 1 more row, see --full
   *[other] and { $count } more rows, see --full
}
excluded = - excluded, see --section { $section }
label-cores-smt = { $cores ->
    [one] 1 core, { $threads } threads
   *[other] { $cores } cores, { $threads } threads
}
label-cpu = CPU { $cpu }
label-unbound = unpinned thread
workload-core_rate-add = 64-bit additions
workload-core_rate-mul = 64-bit multiplications
workload-core_rate-div = 64-bit divisions
workload-core_rate-div32 = 32-bit divisions
workload-core_rate-fma = multiply-adds of doubles
workload-core_rate-fma_vector = vector multiply-adds
workload-core_rate-dot8 = 8-bit vector dot products
workload-core_rate-madd52 = 52-bit vector multiply-adds
workload-core_rate-tile_dot8 = 8-bit matrix tiles
workload-core_rate-load = loads
workload-core_rate-store = stores
workload-core_rate-nop = no-operations
workload-bandwidth-read = memory reads
workload-bandwidth-write = memory writes
workload-bandwidth-write_nt = non-temporal writes
workload-bandwidth-copy = memory copies
workload-bandwidth-copy_nt = non-temporal copies
workload-bandwidth-triad = STREAM triad
workload-load_latency-random = dependent loads in random order
workload-load_latency-grouped = dependent loads in grouped order
workload-prime-1_0 = sysbench primes (1.0)
workload-prime-0_4 = sysbench primes (0.4)
workload-point_select = Point select
workload-tpcc = TPC-C
limit-unknown = Limit not known: { $why }
efficiency-against = { $clients ->
    [one] Per core: over 1 core with 1 client.
   *[other] Per core: over 1 core with { $clients } clients.
}
limit-none = It scales: each core does { $share } of what one alone does.
limit-waiting = Copies wait for locks or I/O: CPUs are used to { $full }, each core does { $share }.
limit-frequency = The frequency falls to { $ratio } times that of one core; each core does { $share }.
limit-stalled = Memory or a shared cache limits it: IPC falls to { $ratio } times; each core does { $share }.
limit-client = The client limits: its CPUs are used to { $client }, the server's to { $full }.
limit-shared = A shared resource, most often memory, limits it: each core does { $share }.
source-interrupt-timer = timer interrupts
source-interrupt-device = device interrupts
source-interrupt-tlb = TLB shootdowns
source-interrupt-hypervisor = hypervisor interrupts
source-interrupt = interrupts ({ $kind })
source-softirq = softirqs
source-preemption = preemption
source-quota = quota throttling
source-realtime = RT throttling
source-migration = migration
source-fault = page faults
source-steal = steal time
source-stall = stalls of the core
source-task = { $source }: { $task } { $share }
source-unexplained = host or firmware
source-unattributed = not attributed
held-scales = CPU, scales
held-memory = memory, { $times } x cost
held-locks = locks, CPU { $share }
held-clients = clients
held-disk = disk
held-unknown = unknown

## Findings, gaps, next commands

findings = Findings
no-findings = { $count ->
    [0] Nothing could be checked.
    [one] No findings in 1 check.
   *[other] No findings in { $count } checks.
}
notes = Notes
of-published = Published runs beside each other
below = Worse than published for { $name }
below-published = { $name } { $measured } (published { $published })
below-cache = L{ $level } latency
below-rate = { $op } throughput
below-chain = latency of { $op }
below-branch = branch misprediction
below-tlb = L{ $level } data TLB, entries
lost-work = lost work
basis = basis
grade-measured = measured
grade-printed = printed
grade-published = published
grade-stated = stated
cost-up-to = up to { $high }
cost-range = { $low } to { $high }
cost-part = part of { $n }
cost-with = { $cost }, with { $n }
cost-unknown = unknown
more-findings = { $count ->
    [one] 1 more finding: { $command }
   *[other] { $count } more findings: { $command }
}
more-findings-below = { $count ->
    [one] 1 more finding
   *[other] { $count } more findings
}
gaps = Not known
gap-skipped = skipped: { $probes }
gap-failed = failed: { $probes } ({ $why })
gap-not-reached = not reached: { $probes }
gap-fewer-turns = measured less than planned: { $probes }
gap-rated = rated frequency
gap-memory-speed = memory module speed
gap-memory-latency = memory latency
gap-memory-latency-huge-pages = memory latency on huge pages
gap-facts = { $count ->
    [one] 1 fact could not be read: { $names }
   *[other] { $count } facts could not be read: { $names }
}
gap-prediction = { $change } ({ $why })
gap-rules = { $count ->
    [one] 1 check lacks data
   *[other] { $count } checks lack data
}
and-more = and { $count } more
next = Next

## The page

contents = Contents
section-bandwidth = Bandwidth
section-conclusions = Conclusions
section-core = Core
section-core_to_core = Core-to-core latency
section-databases = Databases
section-environment = Environment check
section-findings = Findings
section-imported = Results of other tools
section-instrument = Measurement overhead
section-lat_mem_rd = lmbench lat_mem_rd
section-latency = Latency
section-loaded_latency = Loaded latency
section-machine = Machine
section-memory_management = Memory management
section-nearest = Nearest machines
section-noise = OS noise
section-not_measured = Not measured
section-numa = NUMA
section-other = Other measurements
section-provenance = Provenance
section-scaling_run = Scaling
section-stability = Stability
section-tlb = TLB
section-undisturbed_speed = Undisturbed speed
section-unixbench = UnixBench
section-workloads = Workloads and locks
