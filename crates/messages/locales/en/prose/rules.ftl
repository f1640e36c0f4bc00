### Rules: what is wrong, its cost, remedy and check.

rules-cpu-cycles = CPU cycles
rules-system-calls = system calls
rules-new-processes = new processes
rules-lines-and-locks = shared lines and locks
rules-measured-here = measured here
rules-derived-here = a fact, its size derived from measurements here
rules-from-others = from other tools' or published figures
rules-stated-only = a stated fact, its size not measured here
rules-less-work-range = { $n } to { $n2 } less work
rules-less-work = { $n } less work
rules-below-channels-no-more = From { $n } threads on, more threads read no more
rules-saturated-no-more = More cores read no more
rules-partitioned-none = cache.partition.schemata names no ways of a cache
rules-share-at-times = other programs use it at times
rules-channels-part = part of the memory is not interleaved over all channels
rules-channels-missing = The bandwidth of the others is missing
rules-contention-claim = Other programs used up to { $n } of the CPUs { $when }
rules-contention-during = while the cases ran
rules-contention-around = before and after the run
rules-cpuset-too-many = Programs that start a thread for each CPU start too many
rules-cpuset-list = '{ $part }' is not a CPU list like 0-7,64-71 (numbers up to { $n })
rules-dies-host = look on the host: cpulens run --only numa_matrix --per-cpu
rules-dimm-replaced-first = The memory modules run at { $n }
rules-dimm-that-bandwidth = { $n } of that bandwidth is not used
rules-dimm-its-bandwidth = { $n } of its bandwidth is not used
rules-flat-wait = Most of the { $n } sockets wait for memory or for a shared resource
rules-footprint-claim-second = { $probe } used { $n }, { $n2 } times the last-level cache
rules-footprint-probes = The probes bandwidth and stream measure memory
rules-above-count = Count with the measured frequency
rules-governor-claim-first = The governor is '{ $governor }', and a busy core runs at { $n } of the stated { $n2 }
rules-governor-claim-second = { $n } of its frequency is not used
rules-errors-corrected-one = 1 corrected memory error
rules-errors-corrected = { $n } corrected memory errors
rules-errors-uncorrected-one = 1 uncorrected memory error
rules-errors-uncorrected = { $n } uncorrected memory errors
rules-errors-checks-one = 1 machine check
rules-errors-checks = { $n } machine checks
rules-heat = Heat throttles the processor
rules-irq-uneven-claim = Devices interrupt CPUs { $n } up to { $n2 } times a second since boot, the mean CPU { $n3 } times
rules-limit-firmware = The limit is a setting of the firmware: with { $modules } on a channel this CPU runs memory at up to { $n }
rules-limit-one = one module
rules-limit-more = { $n } modules
rules-affects-bandwidth-latency = memory bandwidth, memory latency
rules-affects-cycles-latency-bandwidth-kernel-forks-sharing = CPU cycles, memory latency, memory bandwidth, system calls, new processes, shared lines and locks
rules-affects-latency-bandwidth-sharing = memory latency, memory bandwidth, shared lines and locks
rules-affects-latency-bandwidth = memory latency, memory bandwidth
rules-affects-kernel-latency = system calls, memory latency
rules-affects-sharing-latency = shared lines and locks, memory latency

rules-machines-title = Results of { $n } machines
rules-several-machines = the results are of { $n } machines
rules-cost-counted = Counted with { $rule }
rules-cost-range = { $n } to { $n2 } less work ({ $confidence })

rules-kernel-read = { $test } with { $n } copies: { $n2 } times one ({ $n3 })

rules-link-look-host = look on the host: sudo lspci -vv

rules-migrations-claim = Throughput of { $workload } on { $step } is { $n } times ({ $n2 } to { $n3 }) as high unpinned as with each copy pinned to a CPU

rules-unalike-modules = Compare the modules and channels of both (sudo dmidecode -t memory; numactl --hardware)
rules-unalike-advice-compare = Compare the modules and channels of both (sudo dmidecode -t memory; numactl --hardware), and look for other users of node { $n }

rules-hidden-look-host = look on the host: lscpu and numactl --hardware

rules-pinning-node = Bind them to a node, or not at all
rules-pinning-advice-node = Bind it to a node, or not at all

rules-cache-said = a round trip took { $n } in { $n2 } observations, and { $n3 } in { $n4 } observations
rules-cache-once-far = a round trip took { $n } in { $n2 } observations, and { $n3 } in { $n4 } observation, one of them only once
rules-cache-once-near = a round trip took { $n } in { $n2 } observation, and { $n3 } in { $n4 } observations, one of them only once
rules-cache-once-both = a round trip took { $n } in { $n2 } observation, and { $n3 } in { $n4 } observation, one of them only once
rules-cache-cause-virtual = Cause: the hypervisor ({ $name }) places them on different dies, at least at times

rules-smt-off-title = SMT is off

rules-smt-untrue-read-siblings = CPUs { $n } and { $n2 }, stated as siblings: { $n3 } times one of them
rules-smt-untrue-read-cores = CPUs { $n } and { $n2 }, stated as cores: { $n3 } times one of them
rules-smt-untrue-read-unknown = CPUs { $n } and { $n2 }, stated as unknown: { $n3 } times one of them

rules-smt-useless-advice = Run as many workers as cores, one thread of each
rules-smt-useless-advice-others = Other workloads gain from SMT, so measure a scaling run of each

rules-steal-title = The hypervisor steals CPU time
rules-steal-claim = Steal time is { $n } of the CPU time: the hypervisor runs other guests

rules-thp-title = Transparent huge pages are off

rules-wakeups-read = context1: { $n } times { $placement } over { $against }

rules-wrong-title = A core computes wrong results
rules-wrong-aes = aes on CPU { $n }
rules-wrong-atomic = atomic on CPU { $n }
rules-wrong-divide = divide on CPU { $n }
rules-wrong-floating-point = floating point on CPU { $n }
rules-wrong-integer = integer on CPU { $n }
rules-wrong-load-store = load store on CPU { $n }
rules-wrong-multiply = multiply on CPU { $n }
rules-wrong-vector = vector on CPU { $n }
rules-times-one-of-them = { $n } times one of them
rules-cpus-busy-on-step = CPUs { $n } busy on { $step }
