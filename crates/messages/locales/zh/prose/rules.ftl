### Rules: what is wrong, its cost, remedy and check.

rules-cpu-cycles = CPU 周期
rules-system-calls = 系统调用
rules-new-processes = 新建进程
rules-lines-and-locks = 共享缓存行和锁
rules-measured-here = 本机实测
rules-derived-here = 原因属实，大小由本机测量推算
rules-from-others = 来自其他工具或已发表的数据
rules-stated-only = 原因有据，大小未在本机测量
rules-less-work-range = 工作量减少 { $n } 至 { $n2 }
rules-less-work = 工作量减少 { $n }
rules-below-channels-no-more = 达到 { $n } 个线程后，增加线程不再提高读带宽
rules-saturated-no-more = 增加核数不再提高读带宽
rules-partitioned-none = cache.partition.schemata 没有给出任何缓存的路
rules-share-at-times = 其他程序有时占用该缓存
rules-channels-part = 部分内存没有在所有通道间交织
rules-channels-missing = 其余通道的带宽没有用上
rules-contention-claim = { $when }其他程序最多占用 { $n } 的 CPU
rules-contention-during = 测量期间
rules-contention-around = 运行前后
rules-cpuset-too-many = 为每个 CPU 启动一个线程的程序会启动过多线程
rules-cpuset-list = '{ $part }' 不是 0-7,64-71 这样的 CPU 列表（编号最大 { $n }）
rules-dies-host = 在宿主机上运行 cpulens run --only numa_matrix --per-cpu
rules-dimm-replaced-first = 内存条运行在 { $n }
rules-dimm-that-bandwidth = 有 { $n } 的带宽没有用上
rules-dimm-its-bandwidth = 其带宽有 { $n } 没有用上
rules-flat-wait = { $n } 个插槽大多在等待内存或共享资源
rules-footprint-claim-second = { $probe } 使用 { $n }，为末级缓存的 { $n2 } 倍
rules-footprint-probes = bandwidth 和 stream 探针测量的才是内存
rules-above-count = 以实测频率计算
rules-governor-claim-first = 调频策略为“{ $governor }”，满载的核运行在 { $n }，标称为 { $n2 }
rules-governor-claim-second = 有 { $n } 的频率没有用上
rules-errors-corrected-one = 1 个已纠正的内存错误
rules-errors-corrected = { $n } 个已纠正的内存错误
rules-errors-uncorrected-one = 1 个无法纠正的内存错误
rules-errors-uncorrected = { $n } 个无法纠正的内存错误
rules-errors-checks-one = 1 次机器检查异常 (machine check)
rules-errors-checks = { $n } 次机器检查异常 (machine check)
rules-heat = 处理器过热降频
rules-irq-uneven-claim = 自启动以来，设备每秒最多中断 CPU { $n } 达 { $n2 } 次，CPU 平均为 { $n3 } 次
rules-limit-firmware = 限制因素是固件设置：每通道插有{ $modules }时，该 CPU 最高支持 { $n }
rules-limit-one = 一根内存条
rules-limit-more = { $n } 根内存条
rules-affects-bandwidth-latency = 内存带宽，内存延时
rules-affects-cycles-latency-bandwidth-kernel-forks-sharing = CPU 周期，内存延时，内存带宽，系统调用，新建进程，共享缓存行和锁
rules-affects-latency-bandwidth-sharing = 内存延时，内存带宽，共享缓存行和锁
rules-affects-latency-bandwidth = 内存延时，内存带宽
rules-affects-kernel-latency = 系统调用，内存延时
rules-affects-sharing-latency = 共享缓存行和锁，内存延时

rules-machines-title = { $n } 台机器的结果
rules-several-machines = 结果来自 { $n } 台机器
rules-cost-counted = 与 { $rule } 一并计算
rules-cost-range = 工作量减少 { $n } 至 { $n2 }（{ $confidence }）

rules-kernel-read = { $test } 运行 { $n } 份：单份的 { $n2 } 倍（{ $n3 }）

rules-link-look-host = 在宿主机上查看：sudo lspci -vv

rules-migrations-claim = { $workload } 在 { $step }上不绑核的吞吐是每份绑定一个 CPU 时的 { $n } 倍（{ $n2 } 至 { $n3 }）

rules-unalike-modules = 比较两个节点的内存条与通道（sudo dmidecode -t memory；numactl --hardware）
rules-unalike-advice-compare = 对比两者的内存条和通道（sudo dmidecode -t memory；numactl --hardware），并检查节点 { $n } 上的其他使用者

rules-hidden-look-host = 在宿主机上查看：lscpu 和 numactl --hardware

rules-pinning-node = 把它们绑定到节点，或不绑定
rules-pinning-advice-node = 绑定到一个节点，或完全不绑定

rules-cache-said = 往返延时有 { $n2 } 次观测为 { $n }，有 { $n4 } 次观测为 { $n3 }
rules-cache-once-far = 往返延时有 { $n2 } 次观测为 { $n }，只有 { $n4 } 次观测为 { $n3 }
rules-cache-once-near = 往返延时只有 { $n2 } 次观测为 { $n }，有 { $n4 } 次观测为 { $n3 }
rules-cache-once-both = 往返延时有 { $n2 } 次观测为 { $n }，有 { $n4 } 次观测为 { $n3 }，各只有一次
rules-cache-cause-virtual = 原因：虚拟化层 ({ $name }) 至少有时把它们放在不同的 die 上

rules-smt-off-title = 超线程已关闭

rules-smt-untrue-read-siblings = CPU { $n } 和 { $n2 }，声明为超线程兄弟：其中一个的 { $n3 } 倍
rules-smt-untrue-read-cores = CPU { $n } 和 { $n2 }，声明为物理核：其中一个的 { $n3 } 倍
rules-smt-untrue-read-unknown = CPU { $n } 和 { $n2 }，声明关系未知：其中一个的 { $n3 } 倍

rules-smt-useless-advice = 工作线程数等于物理核数，每核一个线程
rules-smt-useless-advice-others = 其他负载可能从超线程受益，应对每种负载做扩展性测试

rules-steal-title = 虚拟化层窃取 CPU 时间
rules-steal-claim = 窃取时间 (steal) 占 CPU 时间的 { $n }：虚拟化层在运行其他虚拟机

rules-thp-title = 透明大页已关闭

rules-wakeups-read = context1：{ $placement } 是 { $against } 的 { $n } 倍

rules-wrong-title = 某个核心计算结果错误
rules-wrong-aes = AES：CPU { $n }
rules-wrong-atomic = 原子操作：CPU { $n }
rules-wrong-divide = 除法：CPU { $n }
rules-wrong-floating-point = 浮点：CPU { $n }
rules-wrong-integer = 整数：CPU { $n }
rules-wrong-load-store = 读写：CPU { $n }
rules-wrong-multiply = 乘法：CPU { $n }
rules-wrong-vector = 向量：CPU { $n }
rules-times-one-of-them = 为其中一个的 { $n } 倍
rules-cpus-busy-on-step = 在{ $step }上 CPU 忙 { $n }
