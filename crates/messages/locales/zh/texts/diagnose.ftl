## cost

on-scaling-run = 该负载在扩展性测试中损失的 95 % 区间。
less-work = 工作量减少 { $high }
less-work-range = 工作量减少 { $low } 至 { $high }

## cycles

cycles-unexplained = { $workload } 每条指令的周期数为 { $cycles } 倍；缺少两台机器的读取时间，无法判断是否由内存延时引起（cpulens run --only load_latency）。
cycles-by-latency = { $workload } 每条指令的周期数为 { $cycles } 倍，从内存读取一次的周期数为 { $loads } 倍：内存延时可能是原因，但不超过该倍数。在两台机器上运行 cpulens stat 可得到其等待时间。
cycles-not-by-latency = { $workload } 每条指令的周期数为 { $cycles } 倍，从内存读取一次的周期数为 { $loads } 倍：内存延时不能解释这一差异。
runs-differ-too = 两次运行在 { $software } 上也不同，因此不做归因。

## system

against-no-setting = 记录中没有不同的设置
control-moved = dhry2reg 不使用内核，也在其中：先检查主频，再考虑设置。
control-same = dhry2reg 不使用内核，两者相同。
settings-differ = 处理器和系统相同（{ $system }），设置不同
systems-differ = 处理器相同，系统不同（{ $own } 与 { $other }）
system-times = { $between }：{ $verbatim-case } 为另一份的 { $low } 至 { $high } 倍，超出噪声。
system-times-and-more = { $between }：{ $verbatim-case } 为另一份的 { $low } 至 { $high } 倍（另有 { $n } 项），超出噪声。
change-one-at-a-time = 两个系统的不同之处：{ $settings }。每次只改一项；库或服务器的版本差异无法与内核差异区分。
frequency-higher = 其主频高 { $share }。
frequency-lower = 其主频低 { $share }。
frequency-same = 两者主频相同。
differs = { $name }（{ $own } 与 { $other }）

## against

against-remote = 不绑核程序的跨 NUMA 访问占比
against-own = 从本节点读取一次
against-mean = 不绑核程序的平均读取时间
against-module = 最慢的内存条
against-none = 两份记录没有共同的负载，无法对比工作量：在两台机器上运行 cpulens scale -- COMMAND。
against-unknown-share = 未知比例
against-each = 运行 { $name } 时，本机的工作量是另一台的 { $other } 倍，CPU 数是其 { $cpus } 倍：每个 CPU 的工作量为另一台的 { $each }。
against-change-modules = 内存条（{ $before } 改为 { $after }，带宽为瓶颈时最多 { $ratio } 倍）
against-gain = 同一台机器运行 { $name } 时的工作量为 { $gain } 倍。
against-unchanged = 按记录，两者之间没有改动。
against-one-change = 有一项改动：{ $one }。
against-modules = 其内存运行在 { $own }，另一台为 { $other }：在带宽用满时，另一台的带宽最多为 { $ratio } 倍。
loads-longer = 不绑核的程序有 { $share } 的访问落在其他节点，平均每次读取等待 { $own }；另一台机器为 { $their-share } 和 { $theirs }：为其 { $times } 倍。
loads-shorter = 不绑核的程序有 { $share } 的访问落在其他节点，平均每次读取等待 { $own }；另一台机器为 { $their-share } 和 { $theirs }：为其 { $times } 倍，因此内存延时对本机有利。
loads-alike = 不绑核的程序有 { $share } 的访问落在其他节点，平均每次读取等待 { $own }；另一台机器为 { $their-share } 和 { $theirs }：相差不到 5 %。
not-by-latency = 内存延时不能解释这一差异。
loads-explain-part = 两者相差的 { $times } 倍中，较长的读取时间最多解释 { $latency } 倍（对只等待内存的程序）；剩余 { $rest } 倍不能仅用延时解释：更慢的内存条、每核更少的通道、锁，或客户端没有发出更多请求。
loads-explain-all = 两者相差的 { $times } 倍中，较长的读取时间最多解释 { $latency } 倍（对只等待内存的程序）；没有剩余差异需要解释。
placement-changed = 绑核方式（{ $from } 改为 { $to }）
placement-changed-from-one-socket = 绑核方式（{ $from } 改为 { $to }，若原先全部工作由 { $sockets }中的一个完成，最多 { $times } 倍）
several-changes = 同时有 { $n } 项改动，收益由它们共同带来，无法分开：{ $others }和{ $last }。分别测量：每次只改一项，另一项保持原样。

## systems

systems-sysbench-cpu = 同一台机器上，sysbench cpu 在 { $other } 下的用时是 { $one } 下的 { $times } 倍。它不用内存；是内核、库还是频率所致，无法区分。

## workload

kind-db = 数据库遍历内存中的树，由多个线程共享，并与客户端和磁盘通信。
kind-web = Web 服务器主要通过内核收发小消息。
kind-compute = 计算程序占满 CPU，并流式访问内存。
kind-fork = 编译和 shell 脚本不断创建进程。
kind-counted = 该次计数运行
kind-counted-why = 该次计数运行的瓶颈：{ $limiter }。

## diagnosis

note-little = 代价低于 2 %，与同一台机器各次运行的差异相当。

## caches

why-noisy-lines = 噪声过大：缓存行计时期间其他程序占用 CPU 的 { $taken }
again-attempts = 在没有其他程序运行时重新测量
why-no-two-cpus = 所测 CPU 中没有两个声明共享末级缓存
do-more-cpus = 允许更多 CPU：--cpus，或更大的 cpuset
why-noisy-loads = 噪声过大：读取计时期间其他程序占用了 CPU
why-llc-or-memory = 末级缓存的容量或内存延时未知
reach = { $pages }上的读取，{ $order }，工作集不超过 { $inside } 时低于内存读取的一半
reach-and-beyond = { $pages }上的读取，{ $order }，工作集不超过 { $inside } 时低于内存读取的一半，从 { $outside } 起超过一半
line-round-trips = 缓存行往返 = { $low } 至 { $high }，观察 { $n } 次

## machine

why-not-word = { $name } 不是文字
why-not-number = { $name } 不是数字
why-dimms = 没有内存条的描述
do-root = 以 root 运行
why-devices = 没有 PCI 设备的描述
why-nodes-cpus = 各 NUMA 节点有哪些 CPU 未知
why-nodes = NUMA 节点未知
why-sockets = 插槽未知
why-cpus = CPU 未知
why-cores = 物理核未知
nodes-not-listed = 未列出 NUMA 节点
look-on-host = 在宿主机上查看：{ $command }
modules-in-slots = { $slots }中有 { $modules }

## modules

why-no-speeds = 固件没有声明任何内存条的额定速率和运行速率
why-no-module-speed = 内存条的运行速率未知
do-root-firmware = 以 root 运行（需固件声明）
no-speed = 速率未知
memory-of-cpu = 该 CPU 支持的内存：{ $speed }，每插槽 { $channels }（{ $source }）
modules-rated = 内存条运行在 { $configured }，额定 { $rated }
modules-replaced = 内存条运行在 { $configured }，更换后为 { $replaced }

## readings

why-unwatched = 没有用例监测 { $name }

## workloads

why-no-siblings = 扩展性测试中没有使用超线程兄弟的测试点
do-siblings = cpulens scale --cpus 包含一个核的两个线程（需打开超线程）
does-what = { $step }的工作量为{ $with }的 { $ratio }
why-no-both-ways = 没有同时做绑核与不绑核的扩展性测试
unpinned-on = 在{ $step }上不绑核时为 { $ratio }
why-no-program = 没有对程序计数
counted-run = 计数运行：{ $limiter }
why-no-unixbench = 未运行 UnixBench 测试
knee = 从 { $knee } 起，读取一次的时间为空载的 1.5 倍
why-few-reference-samples = 参考样本不足两次
do-more-than-one = 一次运行测量多个用例
moved = 在 { $samples }中有变动：{ $resources }
why-no-operations = 参考样本没有统计每周期操作数
additions = 每周期 { $delivered } 次加法，上限 { $can }，共 { $window }，其中 { $share } 偏慢
load-over = 在 { $size } 上读取一次 = { $load }（{ $name }）
load-from-memory = 从内存读取一次 = { $seconds }（{ $name }）
base-pages = 基本页
huge-pages = 大页
load-memory-both-orders = 从内存读取一次 = { $load }（大页）、{ $none }（无 TLB 缺失）
no-working-set-both = 没有以两种顺序测量任何超出缓存的工作集
do-free-memory = 释放该节点的内存，再执行 cpulens run --only load_latency
load-both-orders = 在 { $size } 上读取一次 = { $load }（大页）、{ $none }（无 TLB 缺失）
do-free-or-madvise = 释放内存，或 echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled
why-no-memory-test = 未运行内存测试，或末级缓存的容量未知
smallest-buffer = 最小的缓冲区为末级缓存的 { $least } 倍
counters-of = { $label } 的计数器
counters-fit = 所计程序的周期数与其时间相符
why-no-counters = 该记录中没有程序的计数器
others = { $watched }其他程序 = { $low } 至 { $high } 的 CPU
gain-and-ipc = { $gain }。{ $ipc }
workload-unpinned = { $workload }：不绑核时为 { $ratio }
moved-by = { $resource } { $share }
no-such-pages = 内核没有给测试内存分配{ $pages }

## evidence

measure-that-machine = 在该机器上执行 cpulens run 测量
why-no-figure = 该记录中没有数据
why-some-nodes = 只在部分 NUMA 节点上测量了带宽
do-all-nodes = cpulens run --only bandwidth，不加 --cpus 和 --nodes
why-no-scaling = 没有负载做过扩展性测试
why-caches = 机器的 die 和末级缓存未知
node-has = 节点 { $node } 有 { $caches }
irq-uneven-unknown = 各 CPU 的中断数或计数时长未知
irq-uneven-proc = 挂载 /proc，并在容器外运行
why-translation = 未测量地址转换给读取增加的时间，或没有增加
huge-pages-real = 大页名副其实
huge-pages-split = 大页与小页一样缺失 TLB
why-numa-buffers = numa_matrix 的缓冲区太小：部分访问命中了缓存
do-numa-buffers = 在节点上释放内存或提高限制，然后运行 cpulens run --only numa_matrix
evidence-median = { $verbatim-metric } = { $value }（{ $case }，{ $samples }的中位数）
idle-latency-of-nodes = idle_latency = { $low } 至 { $high }（numa_matrix，{ $pairs }节点）
latency-of-nodes = 延时 = { $low } 至 { $high }（{ $pairs }节点）
element-time-of-nodes = lmbench stream 每个元素的时间 = { $low } 至 { $high }（{ $pairs }节点）
round-trip-median = round_trip = { $median }（{ $relation }，{ $pairs }的中位数）
what-by-source = { $what }（{ $verbatim-source }）
do-import-modules = cpulens import 并加上其 dmidecode 或 lshw 输出
do-import-topology = cpulens import 并加上其 lscpu、numactl --hardware 和 lstopo 输出
limit-from = { $threads }起为 { $limit }
channels-at = { $channels }，{ $transfers }
stated-base = 标称基频 = { $frequency }
stated-maximum = 标称最高频率 = { $frequency }
a-core-copies = 单核拷贝
cores-of-a-node-read = 节点内各核读取

## proof

copy-unpinned = 不绑核 1 份
copy-pinned = 绑核 1 份
proof-few = 任一侧少于四次重复则无法对比
proof-ended = 提前结束，以下为此前各次运行的结果：{ $why }。
proof-undetermined = 无法对比{ $with }与{ $without }：{ $why }。
proof-faster = 绑核使该程序加快 { $share }。
proof-slower = 绑核使该程序减慢 { $share }。交给调度器即可。
proof-none = 绑核对该程序无显著差异。
proof-divided = { $all } 倍中，仅增加份数带来 { $one } 倍，绑核带来 { $two } 倍。
copies-unpinned = 不绑核 { $copies }
copies-pinned = 绑核 { $copies }
proof-ratio = { $with }：速率为{ $without }的 { $ratio } 倍（95 % 置信区间 { $low } 至 { $high }）。
proof-ratio-noise = { $with }：速率为{ $without }的 { $ratio } 倍（95 % 置信区间 { $low } 至 { $high }），差异不显著。

## bandwidth-below-channels

below-channels = 内存带宽远低于通道能力
below-channels-slots = 插槽名称没有给出每个内存条所在的通道
below-channels-manual = 查阅主板手册，并与带宽一节对照
below-channels-contradict = 全部 CPU 的读带宽与随线程数变化的读带宽互相矛盾
below-channels-again = cpulens run --only bandwidth,bandwidth_scaling，同时不运行其他程序
below-channels-claim = 全部 CPU 合计读带宽 { $reads }，为 { $channels } 个 { $transfers } 通道理论带宽 { $peak } 的 { $share }。达到 { $threads } 个线程后，增加线程不再提高读带宽。
below-channels-advice = 在固件设置中确认所有通道都在使用并已交织。在处理器数据手册中查看其内存链路的带宽。
below-channels-confirm = sudo dmidecode -t memory | grep -E 'Locator|Size|Configured'，并用其他工具在全部核上测试读带宽，例如 likwid-bench -t load -w N:8GB
below-channels-cost = 下限为零（带宽未占满时），上限按通道齐全的服务器可达到理论值的 70 % 计算。

## bandwidth-saturated

saturated = 少数核即可占满内存带宽
saturated-note = 机器本身如此设计，非流式程序没有损失。
saturated-advice = 每个节点的流式线程不要超过该数，把流式程序分散到各节点，其余核用于计算。
saturated-confirm = cpulens run --only bandwidth_scaling，同时不运行其他程序：若线程数加倍后读带宽更高，则结论不成立
saturated-cost = 占全部核 CPU 时间的比例：数据在缓存内的程序为零，纯流式程序为超出该数的全部核。
saturated-unmeasured = 未测量单个节点读带宽随核数的变化
saturated-claim = 一个节点的 { $cores } 个核中，{ $most } 个核即可占满其内存，读带宽为 { $limit }。增加核数不再提高读带宽。
saturated-knee = 带宽达到 { $knee } 后，访存延时为空载的 1.5 倍。
saturated-rise = 直到第 { $cores } 个核，读带宽仍在上升

## cache-partitioned

partitioned = 程序只能使用部分缓存
smaller-cache = 缓存变小时，只有数据放不下的程序才有损失
partitioned-claim = 默认组的程序只能使用 { $level } 的 { $ways } 路中的 { $fewest } 路。其可用缓存按比例减小。
partitioned-advice = 若 /sys/fs/resctrl 中没有其他组需要其余部分，将完整掩码写入 /sys/fs/resctrl/schemata。
partitioned-confirm = cpulens run --only load_latency：若曲线在标称容量处才离开该级缓存，则结论不成立
partitioned-gain = cpulens run --only cache_allocation 可测量每一路的收益
partitioned-none = { $verbatim-fact } 没有给出缓存的路

## cache-share-small

share = 单核只能得到一小部分末级缓存
share-note = 只有数据能放入标称缓存、却放不进可用部分的程序才有损失。
share-again = cpulens run --only load_latency --depth standard，同时不运行其他程序
share-moment = 一条延时曲线只反映一个时刻
share-noise = 噪声掩盖了延时曲线离开缓存的位置
share-neighbours = 宿主机上的其他虚拟机占用其余部分，或虚拟化层 ({ $name }) 只给本机分配了部分路
share-instance = 若更多缓存值得付费，选择独占整个 die 的实例或独占宿主机
share-reserved = 部分路被保留（resctrl、固件），其他核占用了缓存，或标称容量是多个缓存之和
share-advice = 按实测缓存而非标称缓存确定分块和批次大小；{ $advice }。
share-confirm = cpulens run --only load_latency：若工作集为标称容量一半时延时低于内存延时的一半，则结论不成立
share-misses = cpulens stat -- COMMAND 可统计末级缓存未命中的读取
share-some = { $all } 条曲线中有 { $some } 条在标称容量的一半以内离开缓存，其余没有：其他程序有时占用该缓存
share-look = 检查缓存分配（mount -t resctrl resctrl /sys/fs/resctrl; cat /sys/fs/resctrl/schemata）以及共享该缓存的核上的其他程序
share-claim = 在全部 { $curves } 条曲线中，{ $inside } 的工作集仍能放入单核可用的缓存，{ $outside } 的放不下，而标称末级缓存为 { $stated }：{ $why }。

## channels-unbalanced

channels = 内存分布不均
channels-no-size = 固件没有给出任何内存条的容量
channels-modules-whole = 内存条容量不同，从 { $small } 到 { $large }：部分内存没有在所有通道间交织。
channels-nodes-whole = 各 NUMA 节点容量不同，从 { $least } 到 { $most }：同样大小的内存条数量不同。
channels-only = { $all } 个内存通道中只有 { $filled } 个插有内存条。其余通道的带宽没有用上。
channels-advice = 每个插槽的通道都插满相同的内存条，优先使用主板手册列在前面的内存槽。
channels-firmware = 各部分内存在多少个通道间交织由固件决定
channels-after = 改动后运行 cpulens run --only bandwidth
channels-cost = 下限为零（带宽未占满时），上限为空通道的比例。
channels-confirm = sudo dmidecode -t memory | grep -E 'Locator|Size'，以及 numactl --hardware

## core-shared

core = 其他线程占用了部分核心
core-rent = 租用整核：独占宿主机，或不共享物理核的实例规格。在宿主机上把每个 vCPU 绑定到单独的物理核 (virsh vcpupin)。
core-move = 把其他程序移出兄弟线程（taskset、cpuset.cpus），或每个物理核只用一个线程。
core-claim = 运行期间有 { $share } 的时间其他线程占用了部分核心：每周期只完成 { $can } 次加法中的 { $delivered } 次。
core-confirm = 再次运行 cpulens run：若参考样本的每周期操作数保持不变，则结论不成立
core-cost = 下限为零（相互依赖的操作），上限为独立加法在运行期间的损失。

## counters-of-others

counters = 计数器不是该程序的
validity-slows-none = 这只涉及数据是否可信，不会使程序变慢
counters-claim = { $name } 的计数器不只统计该程序：{ $why }。
counters-advice = 比较时剔除其 IPC 和未命中数，并单独统计该程序。
counters-confirm = cpulens stat -- COMMAND，或不带 -a 和 -C 的 perf stat：若周期数除以 CPU 时间仍高于主频，则结论不成立

## cpu-contention

contention = 其他程序占用 CPU
contention-advice = 用 top 或 systemd-cgtop 找到它们，停止或移到其他机器，或为其分配单独的 CPU (cpuset.cpus) 和份额 (cpu.weight)。
contention-confirm = 程序不运行时执行 vmstat 1：若 us 和 sy 接近 0，则结论不成立
contention-cost = 下限为零（程序本身留有同样多的空闲 CPU），上限为它们占用的全部 CPU 时间。
contention-claim-cpus = { $when }其他程序最多占用 { $share } 的 CPU，相当于 { $cpus } 个 CPU。它们与测量共用 CPU、缓存和内存。
contention-claim = { $when }其他程序最多占用 { $share } 的 CPU。它们与测量共用 CPU、缓存和内存。

## cpu-quota

quota = CPU 配额小于 CPU 数
quota-claim = 配额只允许使用相当于 { $quota } 个 CPU 的时间；可见 CPU：{ $usable } 个。运行的线程超过该数时，内核会对全部线程限流。
quota-advice = 提高配额（cgroup 的 cpu.max、docker run 的 --cpus、Kubernetes 的 limits.cpu），或减少线程数。
quota-confirm = cat /sys/fs/cgroup/cpu.stat：若有负载时 nr_throttled 不增加，则结论不成立
quota-cost = 下限为零（线程数不超过配额），上限为配额扣除的 CPU 比例。

## cpuset-smaller

cpuset = cpuset 允许的 CPU 少于在线的 CPU
cpuset-advice = 放宽 cgroup 的 cpuset.cpus (docker --cpuset-cpus)，或设置线程数（OMP_NUM_THREADS、GOMAXPROCS、worker_processes）。
cpuset-confirm = cat /sys/fs/cgroup/cpuset.cpus.effective，以及 nproc --all
cpuset-cost = 下限为零（线程数不超过允许的 CPU 数），上限为被排除的 CPU 比例。
cpuset-claim = 在线的 { $online }中，cpuset 只允许使用 { $left } 个。为每个 CPU 启动一个线程的程序会启动过多线程。

## die-interleaving

dies = 内存在插槽内跨 die 交织
dies-advice = 若程序绑定到节点，在固件设置中关闭 DIE 交织，使每个 die 成为一个节点。程序无法绑定时保持打开。
dies-confirm = 改动后运行 cpulens run --only numa_matrix --per-cpu --depth standard：若本节点没有更近，则结论不成立
dies-cost = 下限为零（数据在缓存内的程序），上限按已发表的 Hygon 7280 数据：交织时 153 ns，本 die 为 107 ns。
why-nodes-socket = 哪些 NUMA 节点属于同一插槽未知
dies-own = 节点 { $node } 的本地内存延时为 { $latency }，不低于同一插槽中节点 { $other } 的内存 ({ $other-latency })。各 die 已交织，或节点并不真实。
dies-no-two = 没有测量同一插槽内的两个节点
dies-all-nodes = cpulens run --only numa_matrix，不带 --nodes 和 --cpus
dies-no-node = 没有同时具有 CPU 和内存的节点
dies-apart = 节点的 { $dies } 个 die 或缓存没有分别测量
dies-setup = 查看固件设置（DIE 交织、每插槽 NUMA 节点数）
dies-stated = 节点和缓存由虚拟化层 ({ $name }) 声明，不一定真实
dies-same-time = 全部 { $caches } 个缓存访问节点 { $node } 内存的延时相同（{ $low } 至 { $high }）：要么它们共用一个内存控制器，要么内存在它们之间交织
dies-claim-caches = 节点 { $node } 的全部 { $caches } 个缓存访问其内存的延时相同，为 { $low } 至 { $high }：内存在各有内存控制器的 die 之间交织，因此没有核具有近端内存。
dies-claim-cpus = 节点 { $node } 的全部 { $cpus } 个被测 CPU 访问其内存的延时相同，为 { $low } 至 { $high }：内存在各有内存控制器的 die 之间交织，因此没有核具有近端内存。

## dimm-below-rating

dimm = 内存条运行速率低于额定值
dimms-unstated = 该 CPU 的上限未知，也没有其他迹象表明存在损失。
dimm-replaced = 内存条运行在 { $configured }；同一机器更换的内存条运行在 { $replaced }：有 { $lost } 的带宽没有用上。
dimm-fit = 换用可运行在 { $rated } 的内存条；若现有内存条的额定值允许，在固件设置中设为该速率。
dimm-cost = 带宽与每秒传输次数成正比。未占满带宽的程序损失很小。
dimm-only = 已知速率的唯一一根内存条运行在 { $configured }，而非 { $rated }
dimm-slowest = { $known } 根内存条中有 { $slow } 根低于额定值运行，最慢的为 { $configured }，而非 { $rated }
dimm-claim-possible = { $modules }。该 CPU 支持 { $possible }：其中 { $lost } 的带宽未用。
dimm-claim = { $modules }：其带宽有 { $lost } 没有用上。

## flat-beyond-socket

flat = 增加插槽对该负载没有收益
flat-read-workload = { $workload }：{ $all } 的吞吐是 { $one } 的 { $low } 至 { $high } 倍，CPU 利用率 { $full }
flat-claim = { $workload } 使用 { $all } ({ $all-threads }) 时的吞吐不高于 { $one } ({ $one-threads })，尽管其 CPU 利用率为 { $full }。{ $sockets } 个插槽大多在等待内存或共享资源。
flat-unrun = 没有负载在一个插槽和全部插槽上各运行四次
flat-confirm = cpulens spread --per socket --prove -- COMMAND：若绑核方式没有影响，则结论不成立
flat-cost = 下限为零（共享资源无法拆分），上限为目前没有贡献的全部 CPU。
flat-advice = 运行 { $sockets } 个进程，各绑定到一个插槽及其本地内存，并在进程间划分工作。
flat-stated-busy = { $workload } 使用全部 { $all } 个 CPU 时的吞吐不高于 { $few } 个 CPU，尽管其 CPU 利用率为 { $busy }。{ $sockets } 个插槽大多在等待内存或共享资源。
flat-stated = { $workload } 使用全部 { $all } 个 CPU 时的吞吐不高于 { $few } 个 CPU。{ $sockets } 个插槽大多在等待内存或共享资源。
flat-remedied = 下列改动合在一起使吞吐达到 { $times } 倍：{ $changes }。没有分别测量。

## footprint-in-cache

footprint = 内存测试部分落在缓存内
footprint-note = 这只涉及数据是否可信，不会使程序变慢。有些测试的定义就规定了这一大小。
footprint-claim = { $probes } 的数据不是内存的数据：{ $probe } 使用 { $size }，为末级缓存的 { $times } 倍。需要达到四倍。
footprint-compare-same = 只将这些数据与相同命令、相同处理器的公开数据比较：该命令通常使用这一大小。bandwidth 和 stream 探针测量的才是内存。
footprint-compare-none = 不要将这些数据与其他处理器的数据比较。释放内存以使用更大的缓冲区（最多使用节点空闲内存的一半），或提高 cgroup 的限制。
footprint-confirm = cpulens run --only load_latency --depth standard：若曲线从该大小起是平的，则结论不成立

## frequency-above-stated

above = 核心频率高于标称最高频率
above-cost = 频率更高不会损失时间
above-note = 不会变慢，只是标称频率有误。
above-none = 标称最高频率不是有效的频率
above-claim = 单核满载时运行在 { $frequency }，比机器标称的最高频率 { $stated } 高 { $share }。
above-advice = 以实测频率计算。在厂商的 CPU 型号规格中查找睿频。若是自己的机器，检查固件设置中是否超频。
above-confirm = 在单核满载时执行 sudo turbostat --show Busy%,Bzy_MHz，以及 cat /sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq

## frequency-below-boost

below = 核心频率低于标称频率
below-advice = 依次检查：调频策略、cpufreq 限制 (scaling_max_freq)、睿频是否关闭、功耗限制、温度。虚拟机中请联系宿主机管理方。
below-confirm = 在单核满载时执行 sudo turbostat --show Busy%,Bzy_MHz,PkgTmp,PkgWatt
below-cost = 下限为零（受内存限制的程序），上限为全部差距（计算型程序）。
below-base = 单核满载时运行在 { $frequency }，比基频 { $stated } 低 { $share }。
below-maximum = 单核满载时运行在 { $frequency }，比最高频率 { $stated } 低 { $share }。

## governor-slows

governor = 调频策略限制了主频
governor-claim = 调频策略为“{ $governor }”，满载的核运行在 { $frequency }，标称为 { $stated }：有 { $share } 的频率没有用上。
governor-advice = 将调频策略设为 performance：sudo cpupower frequency-set -g performance，然后重新测量。
governor-confirm = 将调频策略设为 performance 后运行 cpulens run --only core_frequency：若频率不变，则结论不成立
governor-cost = 下限为零（频率受功耗或温度限制），上限为与标称频率的全部差距。

## hardware-errors

errors = 运行期间硬件报告了错误
errors-cost = 这涉及测量结果和数据是否正确，与速度无关
errors-claim = 测量期间，硬件报告了 { $seen }。
errors-advice = 找出该内存条（cpulens info 的 memory.errors.modules、rasdaemon、BMC 日志），重新插拔或更换后再次测量：数据中可能含有纠错耗时。
errors-confirm = grep . /sys/devices/system/edac/mc/mc*/?e_count; grep MCE: /proc/interrupts：若计数不再变化，则结论不成立
errors-corrected = { $n } 个已纠正的内存错误
errors-uncorrected = { $n } 个无法纠正的内存错误
machine-checks = { $n } 次机器检查异常 (machine check)

## heat-throttles

heat = 处理器过热降频
heat-claim = 处理器自启动以来因过热降频 { $times } 次，全部 CPU 满载时主频从 { $from } 降至 { $to } ({ $share })。
heat-advice = 检查散热：灰尘、风扇及其转速设置、机柜进风、导热硅脂。
heat-confirm = 满载一分钟，执行 sudo turbostat --show Bzy_MHz,PkgTmp 和 cat /sys/devices/system/cpu/cpu0/thermal_throttle/*count：若计数不增加，则结论不成立
heat-cost = 下限为零（短于一秒的突发负载），上限为满载时主频的全部降幅。
heat-unmeasured = 没有测量满载数秒内的主频

## host-pages-small

host-pages-title = 宿主机以小页支撑大页
host-pages-advice = 选择宿主机使用大页的实例规格，或让一起使用的数据集中在少数页内。在宿主机上以大页支撑虚拟机（libvirt：memoryBacking hugepages；QEMU：hugetlbfs 上的 memory-backend-file；Firecracker：huge_pages 2M）。
host-pages-verify = cpulens run --only tlb_reach,load_latency：若大页名副其实，则结论不成立
host-pages-cost = 下限为零（TLB 可达范围内），上限为大页上一次随机访存的全部地址转换开销：这是上界，因为不缺失 TLB 的访问顺序还可能使内存行保持打开。
host-pages-claim-over = 大页与小页一样缺失 TLB：宿主机以小页映射本虚拟机的内存。在 { $size } 大页上一次随机访存需 { $load }，其中至多 { $share } 是地址转换。
host-pages-claim = 大页与小页一样缺失 TLB：宿主机以小页映射本虚拟机的内存。在内存中的大页上一次随机访存需 { $load }，其中至多 { $share } 是地址转换。

## interrupts-remote

irq-remote = 设备的中断发往其他 NUMA 节点
irq-remote-cost = 代价取决于设备的流量，而流量没有测量
irq-remote-measure = 分别把中断放在两个节点上，测量该程序
irq-remote-unknown = 没有设备同时给出所在节点和中断去向
irq-remote-root = 以 root 身份在容器外运行
irq-remote-advice = 把中断发往节点 { $node } 的 CPU（/proc/irq/*/smp_affinity_list、irqbalance 及其 hint、厂商脚本），并在该节点运行使用该设备的程序：cpulens place --near { $address }。
irq-remote-claim = { $device } 位于节点 { $node }，其中断发往其他节点的 CPU { $cpus }。
same-of-other-devices = 另有 { $n } 个设备也是如此。

## interrupts-uneven

irq-uneven = 少数 CPU 处理大部分中断
irq-uneven-read = 设备中断：最忙的 CPU 每秒 { $most } 次，平均 { $mean } 次
irq-uneven-claim = 自启动以来，设备每秒最多中断 CPU { $cpus } 达 { $most } 次，CPU 平均为 { $mean } 次。绑定在这些 CPU 上的程序会被拖慢。
irq-uneven-advice = 绑核程序避开这些 CPU（cpulens place 会避开），或分散中断：增加设备队列、irqbalance、/proc/irq/*/smp_affinity_list。
irq-uneven-confirm = watch -d cat /proc/interrupts：若这些列的增长不比其他列快，则结论不成立
irq-uneven-cost = 对运行在其中最忙 CPU 上的程序：每秒中断数乘以每次 1 至 10 us。

## ipc-falls

ipc = 核数增加后 IPC 下降
ipc-fall-ratio = { $workload } 的 IPC 降至单核的 { $ratio } 倍
ipc-confirm = 分别以 --memory local 和 interleave 运行 cpulens scale -- COMMAND：若全部核上的 IPC 与单核相同，则结论不成立
ipc-advice-caches = 运行多个实例，各自绑定在共享末级缓存的 CPU 上，使更少的线程共享缓存行。
ipc-advice = 每个 NUMA 节点运行一个实例并使用本地内存，使访存就近，共享缓存行的线程更少。
ipc-cost = 下限为零（所有访存都必须到达同样远的位置），上限为指令变慢的全部耗时。
ipc-fall = { $workload } 的 IPC 从单核的 { $from } 降至 { $cores }的 { $to }，为 { $ratio } 倍
ipc-claim = { $fall }：线程在等待内存或共享缓存。每核达到单核单独运行时的 { $share }。
ipc-rest = 其余 { $rest } 倍来自主频、空闲时间或指令增多。

## kernel-contention

kernel-title = 多份程序在内核中争用
kernel-claim = { $copies } 份同时运行时，下列测试的总量低于单份的 { $copies } 倍，并在内核中等待，而计算可以扩展。所有份合计，与单份相比：{ $join }。
kernel-advice = 测试运行时用 perf top -g 找出争用位置。让每份使用各自的文件、目录和地址空间（用进程代替线程），复用已打开的文件和进程，并尝试更新的内核。
kernel-verify = cpulens unixbench dhry2reg { $test } --copies 1,{ $copies }，在空闲机器上运行：若每份的性能相同，则结论不成立
kernel-cost = 下限为零（系统调用很少的程序），上限为 { $test } 运行 { $copies } 份时的损失，该测试只做系统调用。
kernel-missing = 除 Dhrystone 和 Whetstone 外，没有测试在不受干扰时分别以单份和多份运行过
kernel-read = { $test } 运行 { $copies } 份：单份的 { $times } 倍（{ $share }）
kernel-test = { $verbatim-test }（{ $times } 倍）

## link-below-capability

link-title = 设备的链路低于其能力
link-advice = 重新插拔该卡及其线缆，检查是否使用了旧代转接卡，并查看固件设置中该槽位的速率。
link-cost = 设备带宽与通道数和通道速率成正比。未占满带宽的程序损失很小。
link-missing = 没有设备给出其链路以及两端的能力
link-claim = { $device } ({ $verbatim-address }) 运行在 { $link }，设备和端口都支持 { $could }：链路带宽损失 { $lost }。
link-ports-unreal = 端口由虚拟化层 ({ $name }) 提供，不一定真实

## lock-bound

lock-title = 负载在等待锁或 I/O，而不是 CPU
lock-read = { $workload }：在全部物理核上 CPU 忙 { $full }
lock-advice = 用 perf trace -s 或 perf sched 找出等待处，并运行多个线程较少的实例。
lock-verify = cpulens scale，运行它的多个实例：若总吞吐不上升，则结论不成立
lock-cost = 下限为零（所等待的服务已饱和），上限为全部空闲 CPU 时间。
lock-claim = { $workload } 的吞吐不再增长，而 CPU 利用率只有 { $busy }：它受阻于锁或 I/O，而不是 CPU。
lock-other-server = { $workload } 在同样 { $cores } 个核上完成的工作是其 { $ratio } 倍：限制在软件，不在机器。

## memory-latency-dominant

latency-title = 程序的大部分时间花在内存延时上
latency-missing = 所计数程序的瓶颈未知：{ $why }
latency-missing-stalls = 未统计其停顿周期
latency-cost = 下限为零（内存无法更近，访存无法更多重叠），上限为等待内存的全部周期。
latency-advice-one-node = 为它使用大页，把一起使用的数据放在同一缓存行；提高频率作用不大。
latency-advice = 使其内存就近（每个进程绑定到一个节点），使用大页，并把一起使用的数据放在同一缓存行；提高主频收益很小。
latency-verify-pid = cpulens stat --pid PID：若内存访问所占周期不到五分之一，则结论不成立
latency-verify-one-node = cpulens stat -- COMMAND：若内存加载占其周期不到五分之一则不成立
latency-verify = cpulens stat -- COMMAND，内存就近绑定：若耗时相同，则结论不成立
latency-remedy = 在可以统计停顿和内存读取行数的机器上运行 cpulens stat
latency-remedy-stalls = 在可以统计停顿的处理器上运行 cpulens stat
latency-claim-cpi = 所计数的程序有 { $waited } 的周期在等待内存，每条指令 { $cpi } 个周期：{ $why }。
latency-claim = 所计数的程序有 { $waited } 的周期在等待内存：{ $why }。
latency-claim-most-cpi = 所计数的程序大部分周期在等待内存，每条指令 { $cpi } 个周期：{ $why }。
latency-claim-most = 所计数的程序大部分周期在等待内存：{ $why }。
latency-load = 本机一次内存访问耗时 { $load }，相当于 { $cycles } 个周期。

## memory-limited-by-cpu

dimms-title = 内存条快于 CPU 所支持的速率
dimms-note = CPU 已达自身上限，任何设置都无法改变。
dimms-claim = { $known } 根内存条中有 { $slow } 根额定速率达 { $rated }，实际运行在 { $configured }。{ $limit }
dimms-verify = 厂商规格中该 CPU 型号的内存速率，以及 sudo dmidecode -t memory | grep -i speed
dimms-cost = 若 CPU 能让这些内存条以额定速率运行，可多读取的带宽。

## memory-missing-from-nodes

missing-title = NUMA 节点的内存少于总内存
missing-cost = 不损失时间；据此确定的大小有误
missing-note = 对虚拟机热插拔内存的虚拟化层默认如此。
missing-nodes = 某个节点的内存容量未知
missing-claim = 内核统计的总内存为 { $total }，各 NUMA 节点合计 { $of-nodes }：有 { $missing } 不属于任何节点。系统运行期间有内存热插入，或被气球驱动 (balloon) 取走，或内核在内存首次使用时才初始化。
missing-advice = 不要只按单个节点的内存确定程序大小。在宿主机上一次性分配虚拟机的内存。

## migrations-cost

migrations-title = 负载不绑核时更慢
migrations-advice = 将各份绑核：cpulens place 给出位置，cpulens spread -- COMMAND 执行绑核。
migrations-verify = cpulens spread --prove -- COMMAND：若绑核与不绑核差异不显著，则结论不成立
migrations-claim = { $workload } 在{ $step }上不绑核的吞吐是每份绑定一个 CPU 时的 { $ratio }。

## mitigations-at-entry

mitigations-title = 漏洞缓解措施使系统调用变慢
mitigations-note = 内核在这类处理器上默认如此，停留在用户态的程序没有损失。
mitigations-claim = 每次系统调用、中断或切换都有漏洞缓解措施的开销：{ $mitigations }。
mitigations-advice = 运行不可信代码的机器应保持打开。其他情况下可减少系统调用（批处理、io_uring）、换用不受影响的处理器，或以 mitigations=off 启动并测量。
mitigations-verify = perf bench syscall basic，内核命令行分别有和没有 mitigations=off：若耗时相同，则结论不成立
mitigations-missing = 本记录没有数据说明它们给系统调用增加的耗时
mitigations-remedy = cpulens stat -- COMMAND：内核态时间占比即为上限
mitigations-cost = 低于所计数程序在内核态的时间占比 { $share }。

## nodes-unalike

unalike-title = 某个 NUMA 节点的本地内存更慢
unalike-claim = 本地内存访问在节点 { $slow-node } 上耗时 { $slow }，在节点 { $fast-node } 上耗时 { $fast }：前者是后者的 { $ratio } 倍，而同一机器的节点应当相同。
unalike-advice = 对比两者的内存条和通道（sudo dmidecode -t memory；numactl --hardware），并检查节点 { $node } 上的其他使用者。在此之前，受延时限制的程序不要放在节点 { $node } 上。
unalike-verify = cpulens run --only numa_matrix，运行多次：若本地延时相差不超过 15 %，则结论不成立
unalike-cost = 对该节点上的程序：下限为零（数据在缓存内），上限为全部差值（只等待内存）。
unalike-advice-rates = 比较两个节点的内存条与通道（sudo dmidecode -t memory；numactl --hardware）。在此之前，让受带宽限制的程序运行在节点 { $last } 以外的节点。
unalike-verify-bandwidth = 多次运行 cpulens run --only numa_matrix：若本地带宽相差在 15 % 以内则不成立
unalike-missing = 没有两个节点对自身内存做过六次或更多次测量
unalike-remedy = cpulens run --only numa_matrix，在有多个节点的机器上运行
rates-of-nodes = 节点 { $first } 为 { $fast }，节点 { $last } 为 { $slow }
unalike-rates = { $rate }，本地内存：{ $both }
unalike-claim-rates = { $rate }本地内存：{ $both }；同一台机器的节点本应相同。
unalike-read = { $nodes } 个节点的本地内存：节点 { $first } 为 { $fast }，至节点 { $last } 的 { $slow }

## numa-hidden

hidden-title = 多个插槽只显示一个 NUMA 节点
numa-fake = 内核命令行的 numa=fake 虚构了 NUMA 节点
numa-no-fake = 启动时不加 numa=fake
hidden-absent = { $sockets } 个 socket 有 { $nodes } 个 NUMA 节点：可能有 socket 未装内存
hidden-clusters = 这 { $sockets } 个 socket 可能是核簇，旧版工具如此称呼
hidden-unlike-advice = 在固件设置中打开 NUMA，或在宿主机上为虚拟机配置节点（libvirt：<numa> 和 <numatune>）。
hidden-unlike-verify = 改动后运行 numactl --hardware 和 cpulens run --only numa_matrix --per-cpu
hidden-advice = 在固件设置中关闭节点交织（AMD：用 NPS1 代替 NPS0），并从内核命令行去掉 numa=off。
hidden-verify = 改动后运行 numactl --hardware
hidden-missing = 节点被隐藏时无法测量远端内存延时
hidden-remedy = 改动后运行 cpulens run --only numa_matrix
hidden-cost = 下限为零（数据在缓存内的程序），上限为远近访存均值与近端访存之差（只等待内存的程序）。
hidden-newer = util-linux 2.37 或更新版本的 lscpu
hidden-unlike = { $sockets } 个插槽只有 { $nodes }，其内存距一些 CPU 近，距另一些远：一次访存 { $near } 至 { $far }。
hidden-unreal = { $sockets } 个插槽由虚拟化层 ({ $name }) 声明，不一定真实
hidden-claim = { $sockets } 个插槽只有 { $nodes }：{ $share } 的内存访问落到其他插槽，且无法绑定。

## page-tables-isolated

kpti-title = 系统调用切换页表
kpti-note = 内核在这类处理器上默认如此，停留在用户态的程序几乎没有损失。
kpti-missing = { $value } 既不是 yes 也不是 no
kpti-claim = 内核页表隔离 (KPTI) 已打开：每次系统调用和中断都切换页表。
page-tables-isolated-leave-where-untrusted-code = 运行不可信代码的机器应保持打开。其他情况下可减少系统调用（批处理、io_uring），用大页减少由此产生的 TLB 缺失，或以 pti=off 启动并测量。
kpti-verify = perf bench syscall basic，内核命令行分别有和没有 pti=off
page-tables-isolated-published-service-mix-system = 公开数据，某服务的系统调用组合为 0.1 至 6 %。本机未测量。

## pinning-harmful

pinning-title = 负载绑核后更慢
pinning-advice = 不要把该负载绑定到单个 CPU。绑定到一个节点，或完全不绑定。
pinning-verify = cpulens scale --policy one-to-one,range,unpinned，增加 --repeats：若区间达到 1 以下，则结论不成立
pinning-test-advice = 不要把会启动其他程序的程序绑定到单个 CPU：子进程会继承这一个 CPU。把它们绑定到节点，或不绑定。
pinning-test-verify = cpulens unixbench shell8 --placement range,one-to-one --repeats 3：若各次结果重叠则不成立
pinning-test-cost = 从绑核损失最小的测试到损失最大的测试。
pinning-claim = 绑核使 { $workload } 变慢：在{ $step }上，不绑核的吞吐是每份绑定一个 CPU 时的 { $ratio }。
pinning-test = 绑核对 { $workload } 有害：每个副本绑定一个 CPU 时，完成的工作是限定在一组 CPU 内时的 { $ratio } 倍。
pinning-tests = 绑核对 { $workload } 有害：每个副本绑定一个 CPU 时，完成的工作是限定在一组 CPU 内时的 { $ratio } 倍，另有 { $others } 项测试也变慢。
test-pinned = { $verbatim-test }：绑核时为 { $ratio }

## power-capped

power-title = 功耗限制使全部 CPU 低于基频
power-advice = 检查功耗上限（sudo turbostat、BMC 功耗设置、固件功耗配置）并提高它，或按该主频规划。
power-verify = 全部 CPU 满载时运行 sudo turbostat --show Bzy_MHz,PkgWatt,PkgTmp：若封装功耗低于上限，则结论不成立
power-cost = 下限为零（受内存限制的程序），上限为与基频的全部差值（计算型程序）。
power-missing = 未测量多个 CPU 满载时的主频
power-remedy = cpulens run --only loaded_frequency，使用更多 CPU
power-claim = { $cpus } 个 CPU 满载时主频为 { $frequency }，比基频 { $base } 低 { $share }。
power-limit = 处理器封装的功耗上限为 { $watts } W。

## remote-memory

remote-title = 内存可能在其他 NUMA 节点上
remote-claim-sockets = 内存分布在 { $sockets } 个插槽，不绑定的程序有 { $share } 的内存访问可能落到另一个插槽
remote-claim = 有 { $nodes } 个 NUMA 节点，未绑定的程序可能有 { $share } 的内存访问落到其他节点
remote-advice-unpinned = 不要把 { $workload } 绑定到单个 CPU，因为它不绑核时更快。用 cpulens spread --per node --prove -- COMMAND 测量绑定到节点是否有收益。
remote-advice = 每个进程绑定到一个节点：numactl --cpunodebind=0 --membind=0 COMMAND。
remote-verify = numastat -p PID：若全部内存在其运行的节点上，则结论不成立
remote-missing = NUMA 节点间的距离未知
remote-remedy = 若固件给出，可用 numactl --hardware 查看
remote-hidden = { $sockets } 共用一个 NUMA 节点，无法得知哪些内存是远端
remote-hidden-remedy = 在固件设置中打开 NUMA 后，用 numactl --hardware 查看
remote-cost-bandwidth = 下限为零（始终靠近其内存的程序），上限为内存均布于各节点、只等待带宽的程序。
remote-cost = 下限为零（始终靠近其内存的程序），上限为每次访存 { $mean } 与 { $own } 之差（只等待内存的程序）。
remote-longer = { $remote }。这时{ $access }平均耗时 { $mean }，而不是 { $own }，为 { $ratio } 倍。
remote-slit = { $remote }，SLIT 距离最大为 { $farthest }（本地：{ $local }）。
remote-farthest-nearest = 最远节点的延时是本节点的 { $most } 倍，最近的其他节点为 { $least } 倍。
remote-farthest = 最远节点的延时是本节点的 { $most } 倍。
remote-rate = { $rate }：从最远节点为本节点的 { $times } 倍。

## shared-cache-untrue

cache-title = 末级缓存的共享关系与声明不符
cache-cost = 代价取决于线程共享缓存行的频率
cache-once-remedy = cpulens run --only core_to_core,bandwidth，运行多次
cache-advice-hypervisor = 不要按声明的缓存放置线程，并多次测量。在宿主机上绑定虚拟 CPU (virsh vcpupin) 并声明真实的缓存，或选择占用整个 die 的实例。
cache-advice = 按实测分组（核间延时）放置共享数据的线程，并更新固件。
cache-claim = 声明中这些 CPU 共享末级缓存，但{ $sign }。原因：{ $why }。
cache-verify = cpulens run --only core_to_core，运行多次：若同一缓存内各 CPU 对相差不超过 1.8 倍，则结论不成立
cache-slow = 单程耗时 { $time }，是该缓存访问的 { $cache } 倍、内存访问的 { $memory } 倍
cache-once = { $times }，其中之一只有一次
cache-why-hypervisor = 虚拟化层 ({ $name }) 至少有时把它们放在不同的 die 上
cache-why = 缓存被子 NUMA 集群 (SNC) 或分区划分，或固件描述有误
cache-two-times = 往返延时有 { $often }为 { $near }，有 { $seldom }为 { $far }
cache-divided = 往返延时有 { $pairs }为 { $near }，有 { $others }为 { $far }

## slit-untrue

slit-title = NUMA 距离 (SLIT) 与实测延时不符
slit-cost = 代价在于节点内存用满时内核的选择，取决于负载
slit-cost-remedy = numastat -p PID 与实测矩阵对照
slit-missing = 未测量声明了距离的节点之间的延时
slit-advice = 按实测矩阵放置程序，不要按 numactl --hardware，并使 vm.zone_reclaim_mode 保持为 0，因为它使用这些距离。
slit-verify = cpulens run --only numa_matrix --depth standard，与 numactl --hardware 对照
slit-order = SLIT 在 { $compared }中有 { $wrong } 次排错了 NUMA 节点的远近：从节点 { $from } 看，声明节点 { $nearer } 比节点 { $farther } 更近，实测却更慢。
slit-overstates = SLIT 高估了节点 { $to } 到节点 { $from } 的距离：按距离是本地内存的 { $stated } 倍，按实测延时是 { $measured } 倍。
slit-understates = SLIT 低估了节点 { $to } 到节点 { $from } 的距离：按距离是本地内存的 { $stated } 倍，按实测延时是 { $measured } 倍。

## small-pages

pages-title = 小页使内存访问变慢
pages-note = 许多系统默认只在程序请求时提供大页，TLB 覆盖范围内的程序不需要大页。
pages-claim = 随机内存访问在基本页上耗时 { $base }，在大页上耗时 { $huge }（少 { $share }），而只有请求大页的程序才能得到大页。
pages-advice = 让程序请求大页：GLIBC_TUNABLES=glibc.malloc.hugetlb=1，或程序自身的设置（huge_pages、large-pages、UseTransparentHugePages）；或对所有程序打开：echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled。
pages-verify = cpulens spread --prove，分别有和没有 GLIBC_TUNABLES=glibc.malloc.hugetlb=1：若程序耗时相同，则结论不成立
pages-cost = 下限为零（TLB 覆盖范围内），上限为基本页上随机访存的全部差值（只做随机访存的程序）。

## smt-harmful

smt-harmful-title = 超线程使负载变慢
smt-harmful-advice = 该负载每个物理核只运行一个线程（numactl -C、cpuset.cpus，或工作线程数等于物理核数）。其他负载可能受益，不要因此关闭超线程。
smt-harmful-verify = cpulens scale，增加 --repeats：若区间达到 1 以上，则结论不成立
smt-harmful-claim = 超线程使 { $workload } 变慢：{ $step }的吞吐是 { $with }的 { $ratio }。

## smt-off

smt-off-title = 超线程已关闭
smt-off-claim = 超线程已关闭 ({ $control })：每个物理核只运行一个线程，本可运行更多。
smt-off-advice = 打开后测量你的程序：echo on | sudo tee /sys/devices/system/cpu/smt/control。若因安全原因关闭，则保持关闭。
smt-off-advice-forced = 从内核命令行去掉 nosmt=force，并测量程序在有无超线程时的性能。若因安全原因设置，则保留。
smt-off-verify = 打开超线程运行 cpulens scale -- COMMAND：若一对超线程的吞吐不高于 1 个核，则结论不成立
smt-off-cost = 公开数据中，同一型号处理器上两个程序第二个线程的收益：1.02 和 1.9 倍。

## smt-untrue

smt-untrue-advice = 在宿主机上声明真实的线程和物理核（libvirt：带 threads 的 <topology>，以及 vcpupin），或选择整核实例。
smt-untrue-title = 声明的超线程兄弟关系有误
smt-untrue-verify-moved = cpulens run --only core_to_core，运行多次：若不再出现如此短的往返延时，则结论不成立
smt-untrue-cost-moved = 统计加法次数时这两个 CPU 没有共享物理核
smt-untrue-cost-none = 声明为兄弟而实为物理核，没有损失：性能高于声明
smt-untrue-cost = 下限为零（受内存限制的程序），上限为这样两个 CPU 的加法性能比两个物理核少的部分。
smt-untrue-read = CPU { $from } 和 { $to }，声明为{ $stated }：其中一个的 { $gain } 倍
smt-untrue-verify = cpulens run --only smt_pair --cpus { $from },{ $to }；在宿主机上运行 lscpu --extended
smt-untrue-busy = 两个 CPU 合计与声明不符，但其间有其他程序占用 CPU
smt-untrue-busy-share = 两个 CPU 合计与声明不符，但其他程序占用了 { $share } 的 CPU
smt-untrue-moved = 声明中 CPU { $from } 和 { $to } 是两个物理核，但 { $all }中有 { $seen } 次是同一物理核的线程：此时往返延时为 { $near }，其余为 { $far }。此时两个繁忙的程序共享一个物理核。
smt-pair-no-case = smt_pair 没有记录其用例
smt-pair-no-cpus = smt_pair 没有记录其 CPU
smt-pair-no-single = smt_pair 没有记录每个 CPU 单独运行的结果
smt-pair-no-additions = smt_pair 没有记录加法次数
smt-untrue-cores-line = 声明中 CPU { $from } 和 { $to } 是同一物理核的线程，但两者合计是单个的 { $gain } 倍，如同两个物理核，且两者间缓存行传递的耗时是其他 CPU 间的 { $line }。避开超线程兄弟的软件会让一半机器空闲。
smt-untrue-cores = 声明中 CPU { $from } 和 { $to } 是同一物理核的线程，但两者合计是单个的 { $gain } 倍，如同两个物理核。避开超线程兄弟的软件会让一半机器空闲。
smt-untrue-threads-line = 声明中 CPU { $from } 和 { $to } 是两个物理核，但两者合计是单个的 { $gain } 倍，如同一个物理核的两个线程，且两者间缓存行传递的耗时是其他 CPU 间的 { $line }。两个繁忙的程序共享一个物理核，同核的邻居可以窥测它们。
smt-untrue-threads = 声明中 CPU { $from } 和 { $to } 是两个物理核，但两者合计是单个的 { $gain } 倍，如同一个物理核的两个线程。两个繁忙的程序共享一个物理核，同核的邻居可以窥测它们。

## smt-useless

smt-useless-title = 超线程对负载没有收益
smt-useless-cost = 没有收益的线程不损失吞吐；若按线程计费，则多花费用
smt-useless-advice = 工作线程数等于物理核数，每核一个线程。其他负载可能从超线程受益，应对每种负载做扩展性测试。
smt-useless-verify = cpulens scale，增加 --repeats：若区间达到 1.06 以上，则结论不成立
smt-useless-claim = 超线程对 { $workload } 没有收益：{ $step }的吞吐是 { $with }的 { $ratio }。

## steal-time

steal-title = 虚拟化层窃取 CPU 时间
steal-claim = 窃取时间 (steal) 占 CPU 时间的 { $steal }：虚拟化层在运行其他虚拟机。
steal-advice = 换用独占 CPU 或仍有 CPU 积分的实例，或换宿主机。
steal-verify = vmstat 1：若 st 列保持为 0，则结论不成立
steal-cost = 采样期间窃取时间的占比。

## thp-never

thp-title = 透明大页已关闭
thp-claim = 透明大页 (THP) 已关闭，大工作集要承担页表遍历的开销。
thp-advice = 为请求的程序提供透明大页：echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled。
thp-verify = 改动前后各运行一次 cpulens run --only load_latency
thp-advice-process = 找出 /proc/PID/status 中 THP_enabled: 0 的最上层父进程 (pstree -sp PID)，如包装程序或容器运行时，并修改它。
thp-verify-process = 以同样方式启动 grep THP_enabled /proc/self/status：若输出 1，则结论不成立
thp-cost = 下限为零（TLB 覆盖范围内），上限为基本页上随机内存访问中页表遍历的占比。
thp-claim-process = 本进程及其子进程的透明大页 (THP) 已关闭。由某个父进程设置 (PR_SET_THP_DISABLE)。大工作集要承担页表遍历的开销。
thp-claim-process-setting = 本进程及其子进程的透明大页 (THP) 已关闭，而系统设置为 { $verbatim-setting }。由某个父进程设置 (PR_SET_THP_DISABLE)。大工作集要承担页表遍历的开销。

## too-noisy

noisy-title = 机器噪声过大，无法分辨小差异
noisy-advice = 在没有其他程序运行时重新测量：自有机器固定主频，租用机器使用独占 CPU。只比较多份记录一致的内容。
noisy-verify = 再次运行 cpulens run：若参考样本在限值之内，则结论不成立
noisy-cost = 涉及数据的可信度：低于 { $range } 的差异不显著
noisy-claim = 参考样本的{ $resource }在用例之间变动了 { $range }，因此本记录无法分辨更小的差异。

## wakeups-far

wakeups-title = 相互通信的进程运行在不同的核上
wakeups-advice = 把繁忙的管道或套接字两端放在同一物理核或其兄弟线程上（taskset、cpuset.cpus），或放在同一进程中。先测量该程序：会 fork 的程序绑核后变慢。
wakeups-verify = cpulens unixbench context1 --placement none,one-to-one，增加重复次数：若差异不显著，则结论不成立
wakeups-cost = 下限为零（很少切换的程序），上限为该测试的损失，该测试只做切换。
wakeups-missing = 没有在两种绑核方式下各测量两次或更多次上下文切换
wakeups-read = context1：{ $placement } 是 { $against } 的 { $ratio } 倍
wakeups-left-to-scheduler = 由调度器安排
wakeups-in-range = 在一个 CPU 范围内自由运行
wakeups-claim = 两个相互唤醒的进程，按 { $placement } 绑核时的切换次数是{ $against }时的 { $ratio } 倍。调度器把它们放在不同的核上。
wakeups-claim-copies = 两个相互唤醒的进程，按 { $placement } 绑核时的切换次数是{ $against }时的 { $ratio } 倍（{ $copies } 份）。调度器把它们放在不同的核上。

## wide-vectors-slow

vectors-title = 宽向量指令降低主频
vectors-claim = { $cpus } 个 CPU 满载时，{ $class } 指令的主频为 { $frequency }，加法为 { $plain }：低 { $share }，其间的代码同样受影响。
vectors-advice = 程序很少使用宽向量时将其关闭：-mprefer-vector-width=256、GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F。大量使用时保留。
vectors-verify = cpulens stat -- COMMAND，分别使用和不使用宽向量：若主频相同，则结论不成立
vectors-cost = 下限为零（没有此类指令，或其收益大于代价），上限为全部差值（其间的代码）。
vectors-missing = 没有在相同数量的 CPU 上同时测量宽向量和加法的主频
vectors-remedy = cpulens run --only loaded_frequency，在有此类指令的处理器上运行

## wrong-results

wrong-title = 某个核心计算结果错误
wrong-cost = 涉及结果的正确性，与速度无关
wrong-advice = 停用 CPU { $all } (echo 0 > /sys/devices/system/cpu/cpuN/online)，取消超频和降压，更新固件和微码；若再次出现，则更换处理器。检查在该处写入的数据。
wrong-verify = cpulens run --only verify --depth thorough --cpus { $all }，并在机器升温后再运行一次：若没有错误结果，则结论不成立
wrong-claim = { $checked } 个结果中有 { $wrong }错误：{ $places }。
wrong-on = { $class }：CPU { $cpus }

## bound

whatif-bound = 绑定 { $process }，每个 NUMA 节点一个
whatif-bound-unknown = 每个 NUMA 节点绑定一个进程
whatif-one-node = 机器只有一个 NUMA 节点，没有跨节点访问
whatif-hidden-nodes = 固件或宿主机隐藏了 { $socket } 的 NUMA 节点：先在那里打开 NUMA
whatif-no-latency = 未测量所有节点之间的延时
whatif-who-bound = 从节点间不共享数据的程序到 { $workload }（若其 { $all } 个 CPU 共享的数据都能拆分）。
whatif-assumes-bound = 工作可以拆分给互不共享的进程，且每个节点的内存足够。
whatif-access = { $access }在所有节点上平均需 { $mean }，从本节点需 { $own }：{ $ratio } 倍。
whatif-bound-flat = 运行 { $workload } 时，{ $all } 个 CPU 的工作量不高于 { $one } 个，尽管全部满载。

## cores

whatif-cores-figures = { $workload } 在 { $cores } 个核上的性能是 { $against } 个核的 { $ratio } 倍。
whatif-who-cores-figures = { $workload } on { $cores } cores, 与 { $against } 对比。
whatif-who-range = 从 { $from } 到 { $to }，各自单独运行。
whatif-assumes-conditions = 两个数值在相同条件下测得。
whatif-cores-two = { $workload } 只公布了 { $few } 个核和 { $all } 个核的结果
whatif-cores-unpublished = 没有公布 { $cores } 个核的结果，而扩展性定律需要重复测量
whatif-no-law = 没有扩展性测试符合扩展性定律
whatif-misfit = 扩展性定律的偏差达 { $misfit }，不适用于 { $workload }
whatif-far = { $cores } 个核超过已测 { $now } 个核的四倍
whatif-who-cores = { $workload } 在 { $cores } 个核上，对比现在的 { $now } 个。
whatif-law = 其扩展性测试的扩展性定律：争用 { $low } 至 { $high }，一致性开销 { $coherency-low } 至 { $coherency-high }。
whatif-assumes-cores = 更多的核与现有的相同：每核缓存、每节点内存和主频都相同。
against-cores = 相对于 { $cores }

## dimms

whatif-modules = 内存条运行在 { $transfers }
slowest-runs = 最慢的内存条运行在 { $now }
whatif-modules-kind-at-most = { $kind } 内存条最高运行在 { $most }
whatif-modules-as-now = 没有变化：内存现在就运行在 { $now }
whatif-modules-is-now = 内存现在就运行在 { $now }。
whatif-modules-who-all = 所有程序。
whatif-modules-assumes-cpu = 不更换 CPU：其他型号可能支持更高的内存速率。
whatif-modules-rated = 现有内存条的额定速率为 { $rated }：需要更换。
whatif-who-dimms = 从不占满带宽的程序到在所有核上只做流式访问的程序。
whatif-reads-end = 一个节点的读带宽在 { $thread }时达到上限 { $limit }，说明占满的是内存；速率从 { $now } 到 { $transfers }。
whatif-transfers = 速率从 { $now } 到 { $transfers }；未测量占满的是否为内存。
whatif-modules-assumes-one-module = 每通道一根内存条（更多则更慢），且以纳秒计的时序不变。
whatif-assumes-dimms = 每通道内存条数不变时，内存控制器能运行在该速率，且以纳秒计的时序不变。
this-cpu-at-most = 该 CPU 的内存速率最高为 { $most }。
held-by-cpu = 该 CPU 的内存速率最高为 { $most }
no-gain = 没有收益：该 CPU 的内存速率最高为 { $most }
now = 现为 { $value }

## frequency

whatif-frequency = 核心频率 { $frequency }
whatif-counted-works = 所计程序，其 { $share } 的周期不等待内存。
whatif-who-frequency = 从只等待内存的程序到只做计算的程序。
whatif-basis-frequency = 单核满载时的主频现为 { $high }。
whatif-assumes-frequency = 所有核工作时，供电和散热能维持该频率，且缓存频率随核心频率变化。

## huge-pages

whatif-huge = 启用大页
whatif-huge-already = 程序已在使用大页 (always)
whatif-basis-huge = 从内存随机读取一次，基本页需 { $base }，大页需 { $huge }。
whatif-assumes-huge = 内核能为程序内存分配大页，且程序的访问分散，超出 TLB 覆盖范围。

## smt

whatif-smt-off = 关闭超线程
whatif-no-siblings = 本机没有超线程
whatif-no-smt = 没有负载测量过超线程收益
whatif-no-smt-do = 在打开超线程的机器上运行 cpulens scale -- COMMAND
whatif-who-smt = 仅 { $loses }，在 { $with } 上。
whatif-assumes-smt = 改动后该负载每个物理核运行一份或一个线程；未做扩展性测试的程序从超线程得到的收益可能与该负载的损失相当。
sentence = { $what }。
both-workloads = { $workload }：{ $what }；{ $other }：{ $other-what }。

## whatif

whatif-no-range = 测量数据无法给出范围
whatif-counted-waits = 所计程序，其 { $share } 的周期在等待内存。
whatif-who-loads = 从只在缓存内工作的程序到只等待内存的程序。
times = { $ratio } 倍
times-range = { $low } 至 { $high } 倍

## instructions

more-instructions = { $workload } 在本机执行的指令数为 { $ratio } 倍（更多）：原因是编译器、编译选项、库或版本，而不是机器；在两者相差的 { $share } 倍中最多占 { $times }。在两台机器上运行同一个静态链接的程序。
fewer-instructions = { $workload } 在本机执行的指令数为 { $ratio } 倍（更少）：原因是编译器、编译选项、库或版本，而不是机器；在两者相差的 { $share } 倍中最多占 { $times }。在两台机器上运行同一个静态链接的程序。
