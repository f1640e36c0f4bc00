### The first screen of a comparison.

compared-records = { $count ->
    [one] 1 record
   *[other] { $count } records
}
compared-published = { $count ->
    [one] 1 with published or imported figures, one run each
   *[other] { $count } with published or imported figures, one run each
}
compared-earlier = intervals by { $count } earlier runs
compared-one = { $side } against { $base }: times as fast
compared-several = Times as fast as { $base }
compared-ranked = Times as fast as { $base }, with the place (#)
compared-nothing = Nothing can be compared: no figure of one thing is in two of the records.
compared-unlike = Nothing can be compared: the figures of both were measured in different ways.
compared-other-baseline = { $base } has no figure in common with the others; { $name } has most: --baseline { $name }
compared-neutral = No figure says which is faster; these are in both, and have no better direction:
compared-beside = Side by side
pages-base = base pages
pages-huge = huge pages
compared-modes = * several modes: no single value
compared-equal = = no significant difference was shown
compared-one-run = ? one run each: whether it is significant is not known
compared-refused = # not compared: the test or its conditions differ
compared-alone = { $count ->
    [one] in one record only (1)
   *[other] in one record only ({ $count })
}
not-compared = Not compared
compared-in-full = values side by side: --full
not-shown = Not shown
column-of = rows
column-why = why
threads = { $count ->
    [one] 1 thread
   *[other] { $count } threads
}
compared-apart = no figure in common with { $base }: { $sides }
compared-and-more = { $named } and { $count } more
compared-add = this command with --full, --explain or --format html
column-sure = How sure
why-ipc = IPC { $times } x
why-not-ipc = not IPC ({ $times } x)
sure-significant = significant
sure-no_spread = one run each
sure-mixed = some rows differ
sure-within_noise = no significant difference
lowered-environment = environment failed
lowered-system = other OS
lowered-compiler = other compiler
lowered-transport = other transport
lowered-base_page = other base page size
lowered-host = guest and bare metal
lowered-cpus = other CPU count
lowered-footprint = test partly fits the cache
explained-one = Why { $subject }: { $times }
explained-several = Why { $subject }: { $times } ({ $points } points)
explained-unknown = The cause is unknown: { $why }
column-known = known by
column-baseline = baseline
explained-unchecked = Residual: none left to check by, for { $factor } is inferred.
explained-beyond = Residual: { $times }, beyond any stated frequency: instructions, OS or guest.
explained-main = { $factor } { $times } ({ $baseline } in the baseline, { $here } here; { $known })
explained-factor = { $factor } { $times } ({ $known })
explained-dies = Die interleaving: { $side } has one NUMA node for { $dies } dies; { $apart } has { $own } from the own die, { $mean } on average over a socket.
how-in_ipc = part of the IPC
explained-residual = Residual: { $times }.
explained-rest = Residual: { $times } for { $factors }, which were not counted.
factor-instructions = instructions
factor-frequency = frequency
factor-ipc = IPC
factor-cores_used = cores used
factor-smt_yield = SMT yield
factor-locality = locality
factor-bandwidth = bandwidth
how-measured = counted
how-stated = printed
how-inferred = same record
how-left = inferred
how-one_program = assumed: one ISA
subject-core_frequency = Core frequency
subject-core_rate = Instructions, one core
subject-primes = sysbench primes
subject-long_numbers = Long numbers (bc)
subject-cryptography = Cryptography
subject-compression = 7-zip
subject-program = Program
subject-unixbench = UnixBench
subject-tpcc = TPC-C
subject-queries = Queries
subject-cache_latency = Cache latency
subject-memory_latency = Memory latency
subject-near_memory_latency = Remote latency, same socket
subject-far_memory_latency = Remote latency, other socket
subject-other_memory_latency = Load latency, large buffer
subject-translation = TLB reach
subject-cache_bandwidth = Cache bandwidth
subject-core_bandwidth = Memory bandwidth, one core
subject-bandwidth = Memory bandwidth, all cores
subject-near_bandwidth = Remote bandwidth, same socket
subject-far_bandwidth = Remote bandwidth, other socket
subject-loaded = Loaded latency
subject-core_to_core = Core to core
subject-memory_management = Page faults, munmap
subject-system = OS noise, system calls
subject-tool = Other
unlike-definition = definition changed
unlike-meaning = other units
unlike-no_ratio = a value is zero or no number
unlike-content = other data in memory
unlike-pages = other pages
unlike-cache = cache on one, memory on the other
unlike-placement = memory on other nodes
unlike-cpus = other number of CPUs
unlike-part = whole machine and part of one
unlike-modes = several modes
unlike-code = other machine code
unlike-environment = environment failed
unlike-tool = other tool
unlike-tool_version = other version of the tool
unlike-version = other version
unlike-host = guest and bare metal
unlike-scope = counted for other CPUs
unlike-ours = not quite the same test
unlike-software = other software
unlike-distance = NUMA distance not known
