## conclusions

sentence = { $text }。
both = { $first } 和 { $last }
either = { $first } 或 { $last }
from-to = { $low } 至 { $high }

## conclusions/machine

unknown-processor = 型号未知的处理器
of-design = { $model } ({ $design })
cpus = { $n } 个 CPU
cores = { $n } 个物理核
sockets = { $n } 个插槽
numa-nodes = { $n } 个 NUMA 节点
virtual-machine = { $name } 虚拟机
frequency-at-base = 满载核心的主频为 { $measured }，与标称基频 { $stated } 一致。
frequency-above-base = 满载核心的主频为 { $measured }，高于标称基频 { $stated } 达 { $share }。
frequency-below-base = 满载核心的主频为 { $measured }，低于标称基频 { $stated } 达 { $share }。
frequency-at-maximum = 满载核心的主频为 { $measured }，与标称最高频率 { $stated } 一致。
frequency-above-maximum = 满载核心的主频为 { $measured }，高于标称最高频率 { $stated } 达 { $share }。
frequency-below-maximum = 满载核心的主频为 { $measured }，低于标称最高频率 { $stated } 达 { $share }。
frequency-unstated = 满载核心的主频为 { $measured }；机器未声明标称频率。

## conclusions/memory

base-pages = 基本页
transparent-huge-pages = 透明大页
reserved-huge-pages = 预留大页
random-access = 在{ $pages }上随机访问一次内存需 { $cost }
or-cycles = { $time }，即 { $cycles } 个核心周期
and-cycles = { $time }，{ $cycles } 个周期
times-cache = 为 { $cache } 的 { $times } 倍（{ $cost }）
latency-unknown = 内存访问的代价未知：{ $why }。
latency-grouped = 以少触发 TLB 缺失的顺序访问内存需 { $time }。
latency-largest = 随机访问 { $size } 需 { $time }。
latency-largest-huge = 在大页上随机访问 { $size } 需 { $time }。
huge-unknown = 大页的收益未知：内核只把缓冲区的 { $share } 放在大页上（释放内存，或预留大页：sudo sysctl vm.nr_hugepages=512）。
huge-longer = 大页上随机访问内存比基本页多 { $saved }，没有合理解释：请重新测量。
huge-none = 未测到大页对随机访问内存有影响。
huge-none-unverified = 未测到大页对随机访问内存有影响（前提是内核给了大页，这一点无法验证）。
huge-saves = 大页使每次随机访问内存减少 { $saved } ({ $share })。
huge-saves-unverified = 大页使每次随机访问内存减少 { $saved } ({ $share })（前提是内核给了大页，这一点无法验证）。
translation = 在基本页上随机访问一次内存，其中 { $cost } ({ $share }) 是地址转换：把一起使用的数据放在少数几页内。
tlb-reach = { $level } 覆盖 { $last } 至 { $next } 个基本页
tlb-reach-next = { $level } 覆盖 { $last } 至 { $next } 个
backing-small-host = 大页在宿主机上由小页支撑：页表遍历变短，但次数不减。
backing-small = 大页的 TLB 缺失与小页相同，只能是虚拟化层或处理器把大页拆开了。
backing-huge = 大页有效：每页只占一个 TLB 表项。
first-touch = 首次访问一页需 { $base }。
first-touch-huge = 首次访问一页需 { $base }，大页需 { $huge }：折合每个基本页 { $each }。
unmap = 解除映射一页需 { $alone }；程序有另外 { $n } 个线程运行时需 { $others }。
false-sharing = 两个线程在同一缓存行内各自计数，耗时是分开缓存行时的 { $times } 倍。

## conclusions/next

doubt = 数据仅供参考。
invalid = 这些数据不能代表本机。
further-reasons = 另有 { $n } 条原因。
cost = 代价：{ $cost }。
counted-with = 与 { $rule } 一并计算。
more-cases = { $cases }，以及另外 { $n } 个用例
not-measured = 未测量：{ $cases }，原因：{ $why }。
failed = 失败：{ $cases }，原因：{ $why }。
not-reached = 未测到：{ $cases }，原因：{ $why }。
next-resume = 后续：cpulens run --resume 可完成该记录。
next-mend = 后续：先解决使环境检查不合格的问题，再运行 cpulens run。
next-run = 后续：cpulens run 测量本机。
next-deeper = 后续：cpulens run --depth standard 测量更细；cpulens explain load_latency 说明数据的测量方法。
next-other = 后续：在另一台机器上或改动之后运行 cpulens run，得到可与之对比的记录。

## conclusions/nodes

loaded-read = { $n ->
    [one] 另一个核
   *[other] 另外 { $n } 个核
    }以 { $rate } 读取同一内存时，读取一次需 { $loaded } 而不是 { $idle }，为 { $times } 倍
loaded-move = { $n ->
    [one] 另一个核
   *[other] 另外 { $n } 个核
    }以 { $rate } 传输同一内存时，读取一次需 { $loaded } 而不是 { $idle }，为 { $times } 倍
loaded-knee = 不超过 { $rate } 时低于空载的 { $times } 倍
loaded-no-knee = 任何负载都使其超过空载的 { $times } 倍
numa-far = 最远的内存是从节点 { $from } 访问节点 { $far }：读取一次需 { $latency }，为本地内存 ({ $own }) 的 { $times } 倍。
numa-far-bandwidth = 最远的内存是从节点 { $from } 访问节点 { $far }：读取一次需 { $latency }，为本地内存 ({ $own }) 的 { $times } 倍；带宽 { $bandwidth }，为本地的 { $share }。
distances-right = 固件声明的 NUMA 距离与实测顺序一致。
distances-wrong = 固件声明的 NUMA 距离中，{ $n } 对节点有 { $wrong } 对顺序错误。

## conclusions/os_noise

noise-negligible = 系统噪声：中断、其他任务和虚拟化层最多占用任一 CPU 的 { $share }。
noise = 系统噪声：CPU { $cpu } 损失 { $share }，主要来自{ $source } ({ $of-source })
noise-task = 其中 { $task } 占 { $share }
noise-least = 受干扰最少的 CPU { $cpu } 损失 { $share }

## conclusions/threads

bandwidth-modes = 单核从内存读 { $one }，{ $n } 个物理核合计 { $modes }：没有单一值。
bandwidth = 单核从内存读 { $one }，{ $n } 个物理核合计 { $all }：为单核的 { $ratio } 倍
bandwidth-enough = 因此 { $n } 个物理核即可用满
bandwidth-one = 单核从内存读 { $one }。
bandwidth-all = 所有核合计从内存读 { $all }。
saturate-memory = { $n } 个线程{ $noise }即可占满内存带宽：读最多 { $limit }
saturate-node = { $n } 个线程{ $noise }即可占满一个节点的内存带宽：读最多 { $limit }
saturate-before = 其中 { $n } 个线程可达 { $share }
threads-noise-between = （考虑噪声，在 { $fewest } 与 { $most } 之间）
threads-noise-more = （考虑噪声，不少于 { $fewest }）
has-modes = 有 { $count } 个峰，{ $modes }：没有单一值。
at-another-distance = { $share } 的样本中 CPU 处于另一距离：此时为 { $level }。
core-to-core = 缓存行往返另一个 CPU 需 { $groups }，共 { $n } 对。
of-relation = { $range }（{ $relation }）
of-relation-as-stated = { $range }（按声明为{ $relation }）
pairs-changed-by-hypervisor = 有 { $n } 对出现多峰（CPU { $from } 与 { $to }：{ $levels }），可能是虚拟化层在此期间迁移了 CPU，其中位数没有意义。
pairs-changed-meanwhile = 有 { $n } 对出现多峰（CPU { $from } 与 { $to }：{ $levels }），在此期间发生了变化，其中位数没有意义。
pairs-elsewhere = CPU 处于其他位置时，有 { $n } 对更慢或更快（CPU { $from } 与 { $to }：{ $levels }）。
limit-steal = 在已测量的项目中，本机最主要的瓶颈是虚拟化层上的其他虚拟机。
limit-quota = 在已测量的项目中，本机最主要的瓶颈是 CPU 时间配额。
limit-bandwidth = 在已测量的项目中，本机最主要的瓶颈是内存带宽：{ $cores } 个核同时读时，每核只得到单独运行时的 { $shares }。
limit-latency = 在已测量的项目中，本机最主要的瓶颈是内存延时：每次读取未命中所有缓存时，核心等待 { $cycles } 个周期。

## place

choice = { $about }（{ $basis }）：{ $text }
about-instances = 实例数
about-memory = 内存
about-smt = 超线程
about-dies = die
about-kinds = 核的种类
about-devices = 设备
about-interrupts = 中断
about-isolation = 隔离
basis-measured = 实测
basis-published = 据其他工具或已发表数据
basis-stated = 按声明，未测量
basis-asked = 按要求
basis-assumed = 假定
place-no-cpu-of-node = 节点 { $node } 没有可用的 CPU
place-on-node = 仅在节点 { $node } 上。
place-irq-heavy-used = 中断密集的核仍然使用：不用它们则放不下所要求的实例。
within-node = 节点 { $node }
within-part-of-node = 节点 { $node }，{ $part }
within-nodes = 节点 { $nodes }
within-socket = 插槽 { $socket }
within-sockets = 插槽 { $sockets }
within-machine = 整台机器
place-memory-spread-measured = { $access }从本节点需 { $own }，所有节点平均 { $mean }，为 { $times } 倍：实例跨多个节点，因此其内存在这些节点间交织。
place-memory-own-measured = { $access }从本节点需 { $own }，所有节点平均 { $mean }，为 { $times } 倍：每个实例的内存在自己的节点上。
a-load = 一次读取
a-load-from-memory = 一次内存读取
an-element = lmbench stream 的一个元素
place-memory-unknown = NUMA 节点未知，因此不绑定内存。
place-memory-one = 只有一个 NUMA 节点：无需绑定内存。
place-memory-unmeasured = { $memory }：不绑定时，可能有 { $share } 的访问落在其他节点。未测量其代价：cpulens run --only numa_matrix。
place-memory-far-unmeasured = { $memory }：不绑定时，可能有 { $share } 的访问落在其他节点，声明的距离最大为 { $distance }（本节点：10）。未测量其代价：cpulens run --only numa_matrix。
memory-interleaved = 实例跨多个节点；其内存在这些节点间交织
memory-on-own-node = 每个实例的内存在自己的节点上
place-cpuless = 节点 { $node } 有内存而没有 CPU：没有程序在其上运行，也没有内存绑定到它；可手动把允许较慢的数据绑定到它。
place-borrowed = 节点 { $node } 没有可用的内存，最近的是节点 { $near }
place-virtual = 这是虚拟机 ({ $name })：其 CPU 的位置由宿主机决定
place-virtual-do = 在宿主机上绑核 (virsh vcpupin)，或选用独占 CPU 的实例
place-quota = 配额只有 { $quota } 个 CPU 的时间，而放置了 { $n } 个 CPU
place-quota-do = 调整 cgroup 的 cpu.max (docker --cpus)，或减少核数

## place/allot

place-one-core-at-least = 每个实例至少一个核，且至少有一个实例
place-instances-asked = { $n } 个实例，每个 { $cores } 个物理核。
place-instances-largest = 要求 { $n } 个实例：每个有 { $cores } 个物理核，为各实例能均分到的最多核数。
place-instances-fit = 要求每个实例 { $cores } 个物理核：在不跨越不必要边界的前提下，可放 { $n } 个实例。
place-too-many = 放不下 { $n } 个实例（每个 { $cores } 个物理核）：只有 { $all } 个物理核可选
place-too-many-do = 减小 --instances 或 --cores-per-instance
place-each-socket = 每个插槽一个：{ $n }。
place-each-node = 每个节点一个：{ $n }。
place-each-die = 每个 die 或末级缓存一个：{ $n }。
place-each-core = 每个物理核一个：{ $n }。
place-auto-nodes = 有 CPU 的 { $n } 个节点各一个，使每个实例都使用近处内存。
place-auto-alike = { $n } 个插槽各一个：各节点的内存延时相同，但核间共享的缓存行延时不同。
place-auto-hidden = { $n } 个插槽各一个，虽然它们同属一个 NUMA 节点：无法绑定内存，但核间共享的缓存行不跨插槽。
place-auto-machine-alike = 整台机器一个：各节点的内存延时相同。
place-auto-machine-sockets = 整台机器一个：只有一个 NUMA 节点，记录没有说明哪些 CPU 位于其 { $sockets } 个插槽中的哪一个。
place-auto-machine = 整台机器一个：只有一个插槽和一个 NUMA 节点。

## place/cores

place-kinds = 优先使用 { $kind } 核，不足时才用 { $others } 核；除非必要，一个实例不混用两种核。
place-dies-as-stated = 缓存行往返在 CPU 组内需 { $within }，组间需 { $between }，与声明一致（{ $relation }）：放得下时，实例不跨组。
place-dies-unstated = 缓存行往返在 CPU 组内需 { $within }，组间需 { $between }，机器没有声明：放得下时，实例不跨组。
place-near-measured = CPU { $cpus }，实测相近
place-dies-stated = 按机器的声明（末级缓存或 die），{ $n } 组 CPU 各自相近：放得下时，实例不跨组。未测量核间延时：cpulens run --only core_to_core。
cache-of-cpus = CPU { $cpus } 的 L{ $level }
die-of-cpus = CPU { $cpus } 的 die { $die }

## place/devices

place-no-devices = 该机器没有已知的 PCI 设备
place-devices-known = 已知的有：{ $known }
place-no-device = 没有设备 { $asked }
place-device-no-node = 该机器没有声明 { $asked } 的 NUMA 节点：虚拟机和单节点机器都不声明
place-device-nodes = { $asked } 位于多个节点
place-device-name-one = 指定其中一个：{ $all }
device-on-node = 节点 { $node } 上的 { $device }
devices-and-others = { $devices }，另有 { $n } 个
devices-no-instance = { $devices } { $n ->
    [one] 位于
   *[other] 均位于
    }节点 { $node }：该节点上没有实例。
devices-one-instance = { $devices } { $n ->
    [one] 位于
   *[other] 均位于
    }节点 { $node }：使用它的程序放在实例 { $instance }。
devices-instances = { $devices } { $n ->
    [one] 位于
   *[other] 均位于
    }节点 { $node }：使用它的程序放在实例 { $instances }。

## place/eligible

why-cpus = CPU 未知
place-until-then = 在该机器上运行 cpulens place；在此之前，若每个插槽是一个 NUMA 节点，则为其 { $sockets } 个插槽各启动一个进程：numactl --cpunodebind=N --membind=N COMMAND，N 从 0 到 { $last }
place-import = 在该机器上运行 cpulens place；或导入该机器上 lscpu 或 lstopo 的输出
place-mount-sys = 挂载 /sys，或使用另一次运行的记录
place-offline = 已离线。
place-outside = 不在生成该记录时的亲和性掩码或 cpuset 内。
place-all-isolated = 所有可用 CPU 都与调度器隔离，因此使用它们：把程序的每个线程绑到各自的 CPU，因为调度器不会分散它们。
place-isolated = 它们与调度器隔离 (isolcpus)，留给原定用途。
place-no-cpu = 没有可用的 CPU
place-look-at-cpuset = 检查 cpuset：cat /sys/fs/cgroup/cpuset.cpus.effective，以及 taskset -pc $$
place-irq-default = 新的中断发往它们 (/proc/irq/default_smp_affinity)。
place-irq-only = 所有设备的中断只能发往它们 (/proc/irq/*/smp_affinity_list)。
place-irq-sent = 设备中断发往 CPU { $cpus }；该记录没有中断次数，因此没有避开任何 CPU。
place-irq-unknown = 该记录没有说明哪些 CPU 处理中断，因此没有避开任何 CPU。
place-since-boot-or = 自启动以来或监测噪声间隙期间
place-while-watched = 监测噪声间隙期间
place-since-boot = 自启动以来
place-irq-few-cores = 设备每秒中断最忙的核 { $rate } 次（{ $when }）：核数太少，无法为此让出一个。
place-irq-spread = 设备每秒中断最忙的核 { $rate } 次（{ $when }）：中断分散，因此没有专门留给中断的核。
place-irq-little = 设备每秒中断最忙的核 { $rate } 次（{ $when }）：次数很少，因此没有避开任何核。
place-irq-heavy = 设备每秒中断{ $n ->
    [one] 该核
   *[other] 这些核各
    } { $least } 次以上（{ $when }），平均每核 { $mean } 次。
place-left-to-interrupts = { $n } 个物理核 ({ $cpus }) 留给中断。{ $why }

## place/smt

place-no-core-sharing = 每个核有多个线程，而该记录没有说明哪些 CPU 共享一个核
place-import-lscpu = 一并导入该机器的 lscpu -e 或 lscpu -p，或在该机器上运行 cpulens capture
place-import-lscpu-or-node = 一并导入该机器的 lscpu -e 或 lscpu -p，或在该机器上运行 cpulens capture；或使用 --per node
place-no-sibling = 按该记录，没有 CPU 有超线程兄弟。
place-halves-assumed = 该记录没有说明哪些 CPU 共享一个核。按 Linux 的编号方式，依次把每个节点前一半与后一半 CPU 视为超线程兄弟：用 lscpu -e 核对。
place-neighbours-assumed = 该记录没有说明哪些 CPU 共享一个核。把编号相邻的 CPU（如 0 和 1）视为超线程兄弟，虚拟机中以及每个节点编号连续时通常如此：用 lscpu -e 核对。
place-all-threads = 每个核的全部线程。
place-all-threads-measured = 每个核的全部线程：{ $workload } 在 { $step } 上的工作量为在 { $with } 上的 { $times } 倍。
place-one-thread = 每个核一个线程。
place-one-thread-measured = 每个核一个线程：{ $workload } 在 { $step } 上的工作量为在 { $with } 上的 { $times } 倍。
place-all-threads-assumed = 每个核的全部线程，多数程序由此受益；对您的程序的收益：cpulens scale -- COMMAND。

## place/sockets

place-sockets-by-nodes = CPU 所在的插槽由 NUMA 节点推出：每个插槽 { $n } 个节点。
place-sockets-unknown = 该记录没有说明哪些 CPU 在哪个插槽

## summary

stat-of = perf stat { $figure }
misses-llc = 末级缓存缺失率
misses-cache = 缓存缺失率
misses-l1 = L1 数据缓存缺失率
misses-tlb = 数据 TLB 缺失率
misses-branch = 分支预测失败率
node-to-node = 从节点 { $from } 到节点 { $to }
cpu-to-cpu = 从 CPU { $from } 到 CPU { $to }
million-elements = { $n }M 个元素
primes-to = { $n } 以内的素数
memory-of-node = 节点 { $node } 的内存
from-node = 从节点 { $node }
megahertz-set = 设为 { $n } MHz
stride = 步长 { $size }
tlb-locality = TLB 局部范围 { $size }
one-copy = 单份
one-thread = 一个线程
all-threads = 全部线程
system-wide = 整机
all-programs = 所有程序
scope-not-printed = 输出未注明计数范围
of-program = 程序 { $verbatim-command }
memory-errors = { $corrected } 个已纠正，{ $rest } 个未纠正
mitigations = { $on } 项生效，{ $aside } 项不适用
vulnerable = 存在漏洞：{ $verbatim-names }
channels = { $filled }/{ $all } 个通道
several = { $n } x { $item }
runs-at = { $module }（运行在 { $rate } MT/s）
