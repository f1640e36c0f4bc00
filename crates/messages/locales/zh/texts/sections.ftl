## diagnosis

any-program = 任意程序
diagnosis-of = { $record } 的诊断，对象：{ $workload }
not-so = 不存在：{ $title }。检查的内容：{ $read }
numbered-finding = { $number }. { $title }（{ $verbatim-rule }）
named-finding = { $title }（{ $verbatim-rule }）
for-workload = 对象：{ $workload }，依赖 { $demands }。{ $why }
cost-of-finding = { $cost }（{ $confidence }）。{ $basis }
no-figure-of-cost = 没有数据：{ $why }
counted-with = 与 { $verbatim-rule } 一并计算。
no-remedy-known = 没有已知办法
of-rule = { $verbatim-rule }：{ $words }

## whatif

predictions-from = 依据 { $record } 的预测：均未实测
predicted = 预测：{ $change }

## curves

both-logarithmic = 两轴均为对数。
records-not-drawn = 未画出的记录：{ $n } 份。

## machines

machines-alike = 决定速度的各项，这些机器的描述相同。

## reading

reading-ratio = 比值是本记录的中位数除以基准的中位数，附 95 % 区间；更好或更差按该指标的好坏方向判定。
reading-cycles-counted-core-cycles = 按周期：两边都以核心周期计。每核：除以参与的物理核数。每瓦、每单位价格：同样的功率或价格下完成工作量的倍数，须为两份记录都给出数值 (--watts, --price)。
reading-intervals = 区间反映多次运行之间的差别：依据一次运行中各次测量（各用自己的内存）的差别；只测一次的记录则依据这类数据在另一台机器上的变动。用 cpulens selftest aa 可在本机测量。
reading-verdicts = 差异超过 { $band } 才称为{ $better }或{ $worse }，其中误判的行不超过 { $wrong-share }。{ $same }：整个区间都在此范围内。{ $unclear }：样本不足以判断。{ $no-spread }：样本不足四个。

## records

unlike-whole = { $name } 与基准整体上的差异：

## rows

starred = * 与基准的差异超出噪声

## summary

mean-of-each-group = 各组均值，逐份记录

## unlike

others-alone = 没有对应指标的其他工具数据

## why

why-speed-cores-x-smt = 速度 = 核数 × 超线程收益 × 频率 × IPC × 内存位置 × 带宽 ÷ 指令数。每个因素表示它单独使本记录快多少倍；相乘即为比值。
where-from = 各因素的依据
why-logarithmic-each-bar-begins = 对数轴：每个条从前一个结束处开始，最后一个为总计。条纹：推得。
what-the-others-leave = 推得：其余因素剩下的部分
one-program-inferred = 推得：同一程序，同一指令集
why-what-left = 剩余部分：{ $holds }
one-program-on = 推得：同一程序，同一指令集

## diagnosis

diagnosis-nothing = 没有发现，也无法检查任何一项：该记录的信息太少。
diagnosis-nothing-wrong = 可检查的 { $matter }中没有发现问题。

## fleet

fleet-title = 共 { $hosts } 台机器：{ $slow } 台慢，{ $suspects } 台可疑，{ $out } 项未计入
fleet-none = 没有机器慢于同类。
fleet-no-peers = 没有可以互相比较的机器。
fleet-suspect-slow-one-run = “可疑”指只有一次测得慢。请在两小时后再测（--write-suspects FILE）：再次测得慢的才判为“慢”。
fleet-false = 把各次测量所属的机器随机置换后，有 { $share } 的机器被判为慢。
fleet-once = 误判比例未知：需要五台同类机器，其中一半有间隔至少两小时的两次测量。
fleet-all-machines = 全部 { $flagged } 台机器，列出更多指标
fleet-work-lost-up-where = 损失的工作量：受 { $by } 限制的程序至多 { $most }。
fleet-other-facts-divide-them = 以同样方式划分这些机器的其他项：{ $verbatim-alike }。
fleet-other-facts-divide-them-and-more = 以同样方式划分这些机器的其他项：{ $verbatim-alike } 等，另有 { $more } 项。
fleet-no-healthy = { $key }：按处理器的公开数据没有正常的同类：{ $figure } 最好为 { $best }，限值为 { $expected }
fleet-robust-deviation-machines-mode = 稳健偏差是同一峰内各机器的偏差（由绝对中位差算出），以中位数的百分比表示。多峰的指标每峰一行。

## history

history-change-found-runs-one = 一台机器至少测量 { $n } 次才能发现变化。{ $hosts } 台机器中有 { $few } 台不足，最多 { $most } 次。
history-no-run = 没有既合格又有时间的测量。
history-changed = 自 { $day } 起，{ $verbatim-of } 的配置有变：{ $facts }。
history-vertical-line-change-figure = 实竖线为指标的变化点，粗线为变化前后的中位数。虚竖线为配置的变化，列在图下。
history-what-changed = 同时改变的有：{ $facts }。
history-higher = 自 { $day } 起，{ $verbatim-machine } 的 { $figure } 升高 { $share }（之前 { $before }，之后 { $after }）。
history-lower = 自 { $day } 起，{ $verbatim-machine } 的 { $figure } 降低 { $share }（之前 { $before }，之后 { $after }）。
history-all-higher = 自 { $day } 起，{ $n } 台机器的 { $figure } 升高 { $least } 至 { $most }。
history-all-lower = 自 { $day } 起，{ $n } 台机器的 { $figure } 降低 { $least } 至 { $most }。
machines = 机器：{ $verbatim-names }。

## origin

on-huge-pages = { $share } 在大页上
share-on-huge-pages-unreadable = 大页占比无法读取
cpu-asked-not-verified = 要求 CPU { $cpus }，未核实
cpu-asked-found-on = 要求 CPU { $asked }，实际在 { $found }
origin-every-series-spread-pages = 全部数据：离散度、页与位置
origin-median-undisturbed-samples-95 = 未受干扰样本的中位数、其 95 % 区间，以及样本的变异系数 (CV)。期间发生其他事件的样本做标记并剔除。运行位置和所用的页是回读的，不是假定的。
on-cpu = CPU { $cpus }
on-node = 节点 { $node }
share-on-node = 节点 { $node } { $share }
memory-on = { $cpus }，内存在{ $nodes }
memory-asked-not-verified = { $cpus }，要求内存在节点 { $node }，未核实

## page

machines-title = { $others } 台机器的结果
page-what-machine-says-about = 机器的自我描述；未做测量

## paired

paired-same = A 与 B 相差不到 { $least }：B 的{ $of }为 A 的 { $shown } 倍（95 % 置信区间 { $low } 至 { $high }）。
paired-undecided = 尚不能断定是否相差 { $least }：B 的{ $of }为 A 的 { $shown } 倍（95 % 置信区间 { $low } 至 { $high }）。约需 { $needs } 秒：--budget { $needs }
paired-too-few = 尚不能断定：只有 { $pairs } 对，算不出区间。接着：--budget { $needs }
paired-by-cpu = 按 CPU 时间比较：两条命令各自占满一个 CPU。
paired-by-rate = 按命令打印的速率比较。
paired-by-elapsed = 按运行时间比较：有命令在等待，或使用多个 CPU。
paired-within = 比值在成对的运行之间计算，不是下表中位数之比。
paired-elapsed-ratio = B 与 A 的运行时间之比：{ $ratio }（95 % 置信区间 { $low } 至 { $high }）；含等待和被抢占的时间。
paired-cpu-ratio = B 与 A 的 CPU 时间之比：{ $ratio }（95 % 置信区间 { $low } 至 { $high }）；不含等待和被抢占的时间。
paired-at-once = 共 { $pairs } 组，在 CPU { $first } 与 { $second } 上同时运行，每次运行后互换，用时 { $took } 秒。两者共享缓存和内存带宽；--order turn 使其单独运行。
paired-turn = 共 { $pairs } 对，以随机顺序先后运行，用时 { $took } 秒。
paired-interrupted = 已中断：以下为中断前的结果。
paired-failed = 后来的一次运行失败，以下为失败前的结果。{ $why }。
paired-faster = B 比 A 快：{ $what }为 A 的 { $times } 倍（95 % 置信区间 { $low } 至 { $high }）。
paired-slower = B 比 A 慢：{ $what }为 A 的 { $times } 倍（95 % 置信区间 { $low } 至 { $high }）。

## placement

place-where = 运行位置；依据 { $source }
place-left = 留给系统、中断和其他用途：CPU { $left }。
place-cannot = 无法给出：{ $why }

## plan

plan-estimated-time-nothing-measured = 共 { $case }，预计 { $seconds }。未测量，也未保存。
the-time-budget-of-is-less = 时间预算 { $budget } 不足：用例会缩短，最后的可能略去。
the-plan-of-a-run-2 = { $depth } 运行的计划

## proof

proof-subtitle = 绑核与不绑核对比；速率：{ $rate }

## section

machine-without-model = 未说明型号的机器
environment-pass = 环境检查：通过。
environment-warn = 环境检查：警告，部分数据可能受到影响。
environment-fail = 环境检查：不合格，数据可能不代表这台机器。
sentence = { $what }。

## bandwidth-scaling

every-number-of-threads-with-spread-and = 各线程数：离散度与位置
bandwidth-scaling-bandwidth-over-number-threads = 带宽与线程数
bandwidth-scaling-both-axes-logarithmic-dashed = 两轴均为对数。竖虚线处用满一个节点的核，或全部核。
most-of-limit = { $what }，{ $kernel }：{ $threads }起达到 { $limit } 的 95 %
within-noise = { $said }（受噪声影响为 { $fewest } 至 { $most }）
or-more-by-noise = { $said }（受噪声影响为 { $fewest } 或更多）
of-kernel = { $what }，{ $kernel }：{ $why }
one-node = 单个节点
all-memory = 全部内存

## cache-bandwidth

cache-bandwidth-what-each-cache-delivers = 各级缓存对单核的带宽
every-working-set-with-spread-and-code = 各工作集：离散度与代码
cache-bandwidth-bandwidth-one-core-over = 单核带宽与工作集
cache-bandwidth-both-axes-logarithmic-dashed = 两轴均为对数。竖虚线是机器标称的容量。

## data-content

data-content-zeros-beside-other-data = 全零数据效应，单线程
data-content-reads-elsewhere-here-find = 本报告其他读操作读到随机数据，写操作写入非零字节。在清零缓冲区上的测试会有这些倍数的偏差。

## stream

as-stream-prints-it-the-best = STREAM 的输出方式：最好值
scalar-loops-over-64-mib-on-base = 基本页上 64 MiB 的标量循环，不是 STREAM。add_sum 即 lmbench 某一分支所称的 add：一个数组的和，按三个数组计。

## bandwidth

bandwidth-by-kind-of-access = 各种访问的带宽
bandwidth-bytes-program-reads-writes = 程序每秒读写的字节，1 GB/s = 1e9 B/s；硬件另外搬运的数据（写之前先读的行）不计。混合读写原地修改各行，因此搬运的数据全部计入。
what-the-memory-could-deliver-is-not = 内存可提供的带宽未知：{ $why }。
memory-of-model-could = 此型号 CPU 的内存最多可提供 { $peak }：可见插槽共 { $channels } 个通道，速率 { $transfers }，依厂商说明。内存条可能更慢或更少，且虚拟机与他人共用。
all-threads-read = 全部线程共读 { $median }，为其 { $share }。
more-sockets-than-show = 超过全部：这台机器使用的插槽内存多于可见的插槽。
firmware-is-wrong = 超过全部：固件对内存条的描述不可能正确。
bars-are-medians-whiskers-95-intervals-diamonds = 条形为中位数，须线为 95 % 区间，菱形为其他峰和其他 CPU 位置。
memory-could = 内存可提供 { $peak }：{ $channels } 个通道，速率 { $transfers }。
memory-could-at-most = 内存可提供 { $peak }：最多 { $channels } 个通道（内存插槽的名称未说明），速率 { $transfers }。

## core

branch-hit-and-branch-miss-are-a = branch_hit 和 branch_miss 是随机数发生器的一步加一次据此的分支：分支全部预测正确时，所测是发生器的相关指令的时间，不是分支的时间。
one-core-a-multiply-add-is-two = 单核；每个数的一次乘加计为两次操作
ipc-is-derived-the-kernel-s-own = IPC 是推算值：由核函数自身已知的指令数和实测主频得出，没有计数
core-operations-per-cycle-per = 每周期与每秒的操作数
all-cpus-at-once-without-a-pause = 全部 CPU 同时运行，不停顿
the-frequency-second-by-second = 逐秒的频率
multiply-adds-on-single-numbers-and-on = 标量和向量乘加、8 位点积 (vnni、amx、sme)，与测定主频的依赖链交替运行。
core-every-series-spread-placement = 全部数据：离散度与位置
no-misprediction-seen = 随机分支不比固定分支慢

## core-to-core

core-to-core-pairs-more-one-mode = 出现多峰的 CPU 对：{ $cells } 对中的 { $split } 对。各峰之间没有中间值，此处列出最常见的一个。以星号标出。
core-to-core-pairs-another-distance-while = 一段时间内处于另一距离的 CPU 对：{ $cells } 中的 { $moved }。其数值取各 CPU 独占一核时最近的位置。
of-were-measured-drawn-from-each-relation = 从每种关系中抽取，{ $pairs } 对中测量了 { $pair }（cpulens run --all-pairs 测量全部）。
series-are-too-many-for-a-page = { $all } 个序列对一页来说过多；csv 格式会列出它们。
core-to-core-every-pair-spread-placement = 全部 CPU 对：离散度与位置
core-to-core-round-trips-there-back = 往返时间：去程加回程。其一半是单程时间，即其他工具的输出。
by-what-two-cpus-are-stated-to = { $what }，按两个 CPU 声明共享的层级
groups-were-not-looked-for = 未查找分组：{ $why }。
by-these-times-the-cpus-are-one = 按这些时间，全部 CPU 为一组：近的对与远的对之间没有间隔。
core-to-core-darker-faster-asterisk-marks = { $pair }，{ $cpus }，颜色越深越快。星号表示该对出现多峰。
groups-as-stated = 按这些时间，CPU 分为 { $number }，与机器声明一致（{ $relation }）：{ $groups }。组内 { $within }，组间 { $between }。
groups-not-stated = 按这些时间，CPU 分为 { $number }，机器未作声明：{ $groups }。组内 { $within }，组间 { $between }。
measured-by = { $metric }（{ $method }）
metric-in-unit = { $metric }，单位 { $unit }
metric-in-unit-by = { $metric }（{ $method }），单位 { $unit }
median-per-pair = { $what }，每对 CPU 的中位数
core-to-core-title = 核间延时：{ $what }

## databases

nopm-is-no-tpc-result = NOPM 是每分钟新订单数，包括标准要求回滚的订单，不是 TPC 结果：没有键入时间、思考时间和终端，每个事务随机选取仓库（binding=home 除外），Delivery 在请求内完成，窗口为数秒而非数小时，不保证持久化（durable=yes 除外），没有 ACID 测试。tpmC 是 TPC 的商标。
every-quantity-of-every-step = 每个测试点的全部数据
interval-of-the-next-run = 95 % 区间：下一次运行中位数的区间，按各次重复、参考样本和其他程序的 CPU 时间的变化；效率：每核吞吐；CPU 利用率、IPC、停顿（等待内存或其他单元的周期）、主频，以及每个事件的 CPU 时间和上下文切换均为引擎的数据；延时为各窗口的中位数
databases-clients-same-cpus = { $named }，客户端在相同的 CPU 上
databases-clients-their-siblings = { $named }，客户端在其超线程兄弟上
both-axes-are-logarithmic-so-that-what = 两轴均为对数，因此可扩展的负载呈直线。

## energy

energy-package-dram-counters-count = 处理器和 DRAM 的计数器计入全部程序和空闲功耗。每次操作的能量是用例的平均功率与工作速率之比，含准备阶段。

## environment

what-was-seen-before-the-first-measurement = 首次测量前的观察

## findings

what-the-rule-looked-at = 规则检查的内容
no-rule-found-anything-wrong = 没有规则发现问题。
so-it-is-and-nothing-to-act = 仅为提示，无需处理：{ $ids }。

## imported

what-is-doubtful-about-them = 存疑之处

## lat-mem-rd

lat-mem-rd-case = lat_mem_rd -t { $threads }，步长 { $stride }，{ $lineage } 分支
lat-mem-rd-lmbench-prints-least = { $pages }{ $buffer }；lmbench 输出最小值
all-sizes-as-lat-mem-rd-prints = 全部容量，按 lat_mem_rd 的输出格式
lat-mem-rd-every-load-another-page = 每次访存都在与上次不同的页上：超出一级 TLB 覆盖范围后每次都缺失。末级缓存 0.4 至 4 倍之间的点随其他程序留下的缓存而变动，不是内存延时。
x-last-level-cache-not-memory = 末级缓存的 { $short } 倍：不是内存

## latency

latency-ascending-addresses-stride-order = 递增地址（步长顺序）显示预取器所掩盖的延时。它们不是延时。
working-sets-below-four-times-the-last = 小于末级缓存四倍的工作集不是内存，已如此标注。
l-memory-mix-not-memory = L{ $last }/内存混合：不是内存
stated-the-cache-s-size-range-of = 标称：缓存容量；范围：各点的极差与中位数之比
the-curve-leaves-a-plateau-at = 曲线离开平台的位置：{ $knees }。
latency-load-use-latency-over = 访存延时与工作集
level-not-found = { $level }：未找到：{ $why }
level-not-found-by = { $level }，{ $kernel }：未找到：{ $why }

## loaded-latency

the-ring-was-less-than-four-times = 指针环小于末级缓存的四倍，或其他核没有运行：数据列于下方，不绘曲线。
every-level-with-spread-pages-and-placement = 各级别：离散度、页与位置
loaded-latency-latency-over-bandwidth-others = 延时与其他核占用的带宽
loaded-latency-both-axes-begin-nothing = 两轴均从零开始。第一个点是空载，最后一个点是其他核所能读取的全部带宽。{ $said }。

## machine

all-facts-and-where-they-were-read = 全部 { $facts } 项事实及其出处
at-work-do-not-apply = { $begins } 项生效，{ $affected } 项不适用
machine-online-drawn-inside-one = { $socket }{ $node }，在线 { $core }、{ $online }；按包含关系绘出，并画出共享的缓存。
mitigations-open = { $others }，{ $n } 项未缓解：{ $flaws }

## memory-management

additions-per-second-on-the-first-cpu = 每秒加法次数：一对中仅第一个 CPU、仅第二个 CPU、两个同时；两个物理核上为两倍，同一核的两个线程上几乎不增加。
memory-management-per-fault-per-base = 每次缺页的时间；缺页带来的每个基本页的时间；一次缺页平均带来的基本页数。多个线程时为每个线程的时间。
time-of-one-call-on-one-page = 对一页做一次调用的时间，按程序在各自 CPU 上运行的其他线程数；这些 CPU 也须丢弃该页。
time-of-one-addition-of-a-thread = 全部线程同时计数时一个线程一次加法的时间：各占一行、同一行内相邻、全部原子加到同一个字。
memory-management-latency-memory-flush-fences = 不是内存延时：其中包含刷出和屏障的时间。按书写顺序：刷出与读取之间没有其他指令；加屏障：两者互相等待；仅刷出：只有刷出和屏障。
latency-of-dependent-loads-while-the-measuring = 测量线程只能占用该缓存若干路时，相关读取的延时。
an-asterisk-marks-what-was-seen-in = 星号表示出现多峰

## nearest

nearest-ref-times-apart = ref:{ $near }（相差 { $apart } 倍，{ $figures }）
nearest-distance-root-mean-square = 距离是各比值对数的均方根。已发表的数据是单次结果，来自其他系统和其他日期：说明这台机器与哪类机器相近，不表示同样快。详见：cpulens show ref:{ $name }

## guest

guest-emulated = 该虚拟机是模拟的（{ $accelerator }）：其数据只表明它能响应，不能说明真实的虚拟机。
host-and-guest-did-the-same-one = 宿主机和虚拟机先后做同样的工作，每个 CPU 绑一个线程；虚拟机无法解释的部分由其宿主机占用。

## noise

noise-detour-interval-more-thread = 噪声间隙 (detour) 是只轮询时钟的线程未运行达 { $threshold } 或更久的时段；一次轮询耗时 { $least }。各组成之和为损失的占比。SMI 或虚拟化层：内核计数器无法解释的间隙，或远长于所计事件耗时的间隙。
tasks-waited = 在 { $share } 的时间内有任务等待 CPU，包括本程序的线程（压力停滞信息 PSI）。
noise-both-axes-logarithmic-how = 两轴均为对数：每秒有多少不短于某长度的间隙。每个台阶对应一种中断来源。
sources-of-os-noise-over-time = 系统噪声来源随时间的变化
each-line-spans-from-the-cpu-that = 每条线段从损失最少的 CPU 到损失最多的 CPU。
tasks-whose-last-cpu-was-this-one = 最后位于此 CPU 的任务，按用例期间在全部 CPU 上的运行时间
device-interrupts-during-the-case-proc-interrupts = 用例期间的设备中断；名称见 /proc/interrupts，所在 CPU 见 /proc/irq/* 的 effective_affinity_list 和 smp_affinity_list
noise-device-interrupts-go-every = 设备中断发往每个 CPU。空闲的设备可能变得活跃。
no-device-interrupt-is-routed-to-cpu = 没有设备中断路由到 CPU { $spared }。
cpus-to-pin-to = 适合绑核的 CPU，受干扰最少者在前：CPU { $best }。CPU { $first } 损失 { $first-share }，CPU { $last } 损失 { $last-share }。
noise-what-could-counted = 无法计数的事件
noise-undisturbed-speed-fifth-percentile = 无干扰速度是各份工作时间的第 5 百分位。直接：受干扰各份的超出部分。间接：每次受干扰后八份的超出部分，其缓存和预测器曾被他人使用。基线漂移：每十分之一秒的无干扰速度与整个运行之比。频率：该漂移中可由主频解释的部分，在每十分之一秒后用相关加法测得。其余来自超线程兄弟，或共享的缓存和内存。
whole-passes-78-497-primes-counted-each = 完整的各遍：78,497 个素数，每次均计数
the-active-mitigations-are-not-in-this = 此记录中没有生效的漏洞缓解措施，或此 CPU 无需缓解。
active-mitigations-included-in-these-costs-cpulens = 生效的漏洞缓解措施，已包含在这些开销中。cpulens compare 可并列显示另一次启动的开销：
a-system-call-that-does-nothing-getppid = 什么都不做的系统调用 (getppid)
a-signal-to-the-own-thread-with = 向自身线程发信号，含处理函数
from-thread-to-thread-on-one-cpu = 同一 CPU 上线程间切换，用 futex
waking-a-thread-that-sleeps-on-another = 唤醒在另一 CPU 上休眠的线程
to-each-other-cpu-of-the-process = 到进程的其他每个 CPU 并返回 (membarrier)
how-late-a-sleep-of-100-us = 100 us 休眠结束时的延迟；普通线程的定时器有 50 us 松弛
a-copy-of-this-process-and-its = 复制本进程并结束
a-copy-a-small-static-program-in = 复制进程，在其中运行小型静态程序并结束
waking-nobody = 不唤醒任何线程

## not-measured

nothing-was-planned-these-are-results-of = 没有计划测量：这些是其他工具的结果。
every-planned-case-was-measured = 计划的用例均已测量。
not-measured-what-could-read-machine = 无法读取的机器信息

## numa

every-pair-of-nodes-beside-the-firmware = 全部节点对，附固件声明的距离
the-buffers-were-less-than-four-times = 缓冲区小于末级缓存的四倍，缓存也参与了响应：数据列于下方，不制矩阵。
node-to-node = 节点 { $from } 的 CPU，节点 { $to } 的内存：{ $value }
in-by-numa-node-median = 单位 { $unit }，按 NUMA 节点，中位数
the-firmware-states-no-two-unlike-distances = 固件没有为任何节点声明两个不同的距离。
the-firmware-s-distances-agree-with-the = 固件声明的距离与实测延时的顺序一致：全部 { $comparison }。
the-firmware-s-distances-contradict-the-order = 固件声明的距离与实测延时的顺序矛盾：{ $comparison }中的 { $wrong } 次。
farthest-from-stated = 按与本地节点之比，偏差最大的是节点 { $from } 与节点 { $to } 之间：声明 { $stated }，实测 { $measured }。
of-own-node = { $cell }，本地的 { $ratio }
stated-distance = { $cell }，声明的距离 { $distance }

## provenance

hash-of-the-measured-code-s-sources = 被测代码源文件的哈希
provenance-watched-time = { $name } { $unit }（监视了 { $percent } 的时间）
every-case-in-the-order-in-which = 全部用例，按运行顺序

## scaling-run

every-repeat-with-its-placement = 每次重复及其位置
efficiency-throughput-over-cores-times-that-of = 效率：吞吐与核数乘单核吞吐之比；最慢：最慢一份与最快一份的时间之比
throughput-over-cores = 吞吐与核数：{ $workload }
scaling-run-both-axes-logarithmic-so = 两轴均为对数，因此可扩展的负载呈直线。标有“含超线程兄弟”的曲线使用这些核的全部线程。

## stability

samples-of-the-reference-sample = 参考样本数
frequency-median = 参考样本的主频中位数
reference-sample-the-same-short-work-between = 参考样本：用例之间的相同短负载
stability-over-run-each-line = 运行期间共 { $sample }；每条线段从样本的最低窗口到最高窗口。水平线表示机器保持稳定。

## tlb

tlb-one-line-each-page = { $pages }{ $buffer }；每页一行，减去同样多紧密排列的行
tlb-reach-tlbs-found = TLB 覆盖范围：未找到：{ $why }
huge-pages-are-real-small-pages-inside = 大页名副其实：其中的小页不会缺失一级 TLB。
huge-pages-are-backed-by-small-ones = 大页由小页支撑：其中的小页与基本页一样缺失一级 TLB。
whether-huge-pages-are-real-is-unknown-2 = 大页是否名副其实未知。{ $why }
the-tlb-friendly-order-stays-within-256 = 利于 TLB 的顺序每次停留在 256 KiB 内，这也可能使内存行保持打开：差值是上限。
not-a-tlb = 不是 TLB：{ $why }

## undisturbed-speed

the-baseline-undisturbed-speed-is-the-s = 基准（无干扰速度）是 { $mode } 模式关中断的一遍，{ $place }。
all-passes-ran-the-same-machine-code = 各遍运行相同的机器码 ({ $code })，均找到 78,497 个素数。
the-guest-was-emulated-tcg-its-times = 虚拟机是模拟的 (TCG)：其时间不能代表 CPU，不做比较。
interrupts-were-off-for-at-the-longest = 关中断最长 { $off }。

## unixbench

faults-and-switches-of-each-test-per = 各项测试每秒的缺页和切换
unixbench-context-switches-where-two = 上下文切换，按两个进程的位置
settings-of-this-machine-that-move-these = 影响这些测试的机器设置
every-series-with-spread-and-what-ran = 全部数据：离散度与所运行的程序
score-geometric-mean-of-the-passes-but = 得分：去掉计数最少的三分之一后各遍的几何平均，同 UnixBench；变异系数：按全部各遍；内核：占 CPU 时间之比；CPU：繁忙的个数
of-all-copies-together-with-those-of = 全部份数合计，含其等待的子进程；等待：进程让出 CPU；被抢占：CPU 被其他进程占去
scores-over-those-of-the-baseline-machine = 得分与基准机之比乘以十；最后一项是几何平均。
gain-of-the-means-of-all-repeats = 收益：全部重复的平均值之比；是否分开：一方的每次重复均高于另一方的每次重复，三次对三次时偶然如此的概率为十分之一；最近之比：最接近的两次重复之比（收益方的最小值与对照方的最大值）

## workloads

workloads-terms-sysbench-0-4 = 按 sysbench 0.4（10,000 个事件，上限 50,000，由实测外推）和 1.0（每秒事件数，上限 10,000）的口径。只测试除法器：旁列一次除法的时间。
workloads-pow-7-999999-pi = pow：7^999999；pi：圆周率 5000 位。到最后一份结束的时间，以及一份的 CPU 时间。这是所装 bc 的时间：只能与相同版本比较。
workloads-time-one-turn-thread = 一个线程一轮的时间（多个线程时为线程数除以每秒总轮数）；每秒轮数；轮数最少的线程与最多的线程之比。自旋锁和互斥锁保护一次加法。
openssl-thousands = 每秒千字节，同 openssl speed 的输出，按块的字节数；`32 on 2`：线程共用 CPU
workloads-every-series-spread-code = 全部数据：离散度与代码
