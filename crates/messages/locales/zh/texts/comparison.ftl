## beside

why-not-measured-here = 本记录没有测量其对应指标
why-cores-unknown = 数据库的数据取决于核数，而对方未说明服务器有多少核
remedy-same-server = 在两台机器上以相同核数测同一种服务器：cpulens db point-select 或 tpcc
why-no-series = cpulens 没有此定义的数据
remedy-run-that-tool = 在本机运行该工具，用其输出代替记录

## subject

subject-on = { $subject }（{ $on }）
subject-of-on = { $subject }（{ $of }，{ $on }）
on-one-copy = 单份
on-one-thread = 一个线程
on-smt-pair = 一对超线程

## compare/summary

unlike-as-whole = 整份记录不可比
only-one-record = 只有一份记录，无从对比。
no-quantity-twice = 没有任何指标在两份记录中都测过，无法对比。
nothing-with-baseline = 没有可与基准对比的内容。
nothing-claimed = 对 { $name } 与 { $base } 不作判断：{ $why }。
none-comparable = 对 { $name } 与 { $base } 不作判断：{ $n } 个比值，均不可比。
faster-and-rows = { $name } { $at }。{ $n } 个比值逐行看：{ $better } 个更好，{ $worse } 个更差，{ $same } 个相同（{ $band } 以内），{ $unclear } 个差异不显著，{ $unknown } 个离散度未知。
faster-at = 相对 { $base } 较快：{ $subjects }
slower-than-at = 相对 { $base } 较慢：{ $subjects }
slower-at = 较慢：{ $subjects }
neither = 相对 { $base } 总体上没有明显更快或更慢的项目
differs-at = 部分项有差异：{ $subjects }
leans-faster-at = 偏快：{ $subjects }
leans-slower-at = 偏慢：{ $subjects }
no-difference-at = 差异不显著：{ $subjects }
so-sure = { $what }，把握 { $confidence }
times = { $what } { $times } 倍
times-in-range = { $what } { $times } 倍（{ $low } 至 { $high }）
times-of-figures = { $what } { $times } 倍（{ $low } 至 { $high }，{ $figures } 项）
times-from-to = { $what } { $low } 至 { $high } 倍（{ $figures } 项）
figures-beside = { $theirs } 有 { $n } 个数据可与 { $ours } 中 cpulens 同定义的数据对照：{ $tools }。
means-over = { $name } 相对 { $base }，越大越好：{ $means }。
different-beside = { $n ->
    [0] 没有一个差异
   *[other] 有 { $n } 个差异
    }超出噪声及两个程序可能的偏差；单个公布数据没有离散度，不能证明什么。
counted = { $what }（{ $n }）
many = { $n } 份记录相对 { $base }：{ $counts }。
many-differ = { $n } 份差异超出噪声
many-do-not = { $n } 份没有超出
many-have-single-figures = { $n } 份只有单个数据，离散度未知
many-have-none = { $n } 份与其没有共同的结果
nothing-claimed-of-pairings = { $n } 组对比中有 { $out } 组不作判断：{ $reasons }。
no-figure-says-which-faster = { $name } 与 { $base } 没有能说明孰快的数据。不分好坏的比值：{ $ratios }。
no-figure-of-one = { $name } 与 { $base } 没有测量同一对象的数据。
single-figures-over = { $name } 相对 { $base }，越大越好：{ $figures }。这些都是单个数据，离散度未公布。

## unlike

baseline-alone = 基准
record-alone = 本记录
baseline-warn = 基准的环境检查为警告：{ $why }
baseline-fail = 基准的环境检查不合格：{ $why }
record-warn = 本记录的环境检查为警告：{ $why }
record-fail = 本记录的环境检查不合格：{ $why }
no-reason-given = 未给出原因

## compare

better = 更好
worse = 更差
different = 不同
same = 相同
unlike = 不可比
no-significant-difference = 差异不显著
no-spread-known = 离散度未知

## conditions

other-tools = 其他工具

## equivalent

ours-within = cpulens 自己实现的 { $what }，与原工具相差 { $share } % 以内（{ $page }）
ours-never = cpulens 对 { $what } 同一指标的测量，从未与原工具对照
fix-never = 两台机器上该工具的输出

## bandwidth

from-registers = 只在寄存器中运算
from-not-counted-bandwidth = 未计数其占用的内存带宽
from-lines-not-counted = 未计数来自内存的缓存行
from-read-unknown = 它从内存读取 { $read }，而本记录没有机器的上限
from-used-of = 它用了内存可提供带宽的 { $share }
from-used-cost = 它用了内存可提供带宽的 { $share }：其代价包含在 IPC 中
from-cores-not-stated = 未说明参与的核数
from-one-core = 单核
from-no-one-core = 没有它的单核运行
from-cores-alone = 相对同样多的独享内存的核

## cores

from-cpu-over-elapsed = CPU 时间除以耗时
from-cycles-one-cpu = 其周期数相当于一个 CPU
from-cpu-printed = 所公布的 CPU 使用率
from-cpus-not-stated = 未说明使用的 CPU 数
from-given = 分配给它的核；未说明其繁忙程度

## counts

not-its-own = 其计数不是它自己的：{ $why }
counted-for = 计数覆盖 { $share } 的时间
from-not-counted = 未计数其周期和指令
fix-count-it = 进行计数：cpulens stat -- COMMAND，或 perf stat
fix-count-alone = 只对该程序计数：cpulens stat -- COMMAND，或不带 -a、-C 的 perf stat
of-all-cpus = 它们属于全部 CPU（系统级），不论其上运行什么
of-some-cpus = 它们属于部分 CPU，不论其上运行什么
scope-unknown = 输出未说明计数对象是程序还是全部 CPU
only-user = 只计数了用户态
fix-paranoid = sysctl kernel.perf_event_paranoid=1，或以 root 运行
cycles-or-instructions = 未计数周期或指令
no-time = 没有时间数据
no-elapsed = 没有耗时数据

## frequency

from-cycles-cpu = 周期数除以 CPU 时间
from-cycles-elapsed = 周期数除以耗时，因未说明 CPU 时间
from-beside = 同时测量
from-before-after = 机器的频率，测于运行前后
from-core-frequency = 同一记录的核心频率，单核
from-another-run = 同一记录另一次运行的周期数除以 CPU 时间
fix-boost = 用 cpulens run --only core_frequency 测量，或用 perf stat 计数
boost-unknown = 睿频未知
boost-unknown-from = 标称 { $base }，睿频未知
from-stated = 标称
from-stated-range = 标称，{ $low } 至 { $high }
from-kernel-once = 内核报告过一次
frequency-unknown = 频率未知
fix-frequency = 同时导入该机器的 lscpu，或用 cpulens run --only core_frequency 测量

## instructions

from-retired = 整个运行中退役的指令
from-loop = 循环的指令数，由汇编固定
from-unit-of-work = 未计数单位工作的指令

## ipc

from-ipc = 指令数除以周期数
from-printed-beside = 与结果一同公布；未说明属于谁
from-counted-beside = 同时计数
from-all-started = 对用例启动的全部进程计数
from-ipc-derived = 指令数除以所用周期

## locality

from-local = 全部内存都在本地
from-other-nodes = { $share } 的内存在其他节点上，其速度慢 { $farther } 倍
from-one-node = 机器只有一个 NUMA 节点
from-numa-off = 多个插槽显示为一个 NUMA 节点（NUMA 关闭）：无法确定哪些是远端
from-where-unknown = 未说明其内存的位置
from-remote-unknown = 未说明其多少内存在其他节点上
from-far-unknown = 未测量其他节点的距离

## pair

from-not-looked = 未查找
factor-in-ipc = 它已计入单线程的 IPC

## smt

from-one-thread = 每个核一个线程
from-no-single-run = 没有同样核数、每核一个线程的运行
fix-scale = cpulens scale 两者都有
from-same-cores = 相对相同的核、每核一个线程

## explain/summary

as-fast = { $name } 与 { $base } 一样快
speed = { $name } 的速度是 { $base } 的 { $times } 倍
speed-at-points = { $name } 的速度是 { $base } 的 { $times } 倍（{ $n } 个点）
cause-unknown = { $speed }。原因未知：{ $why }。
most-of-it = { $speed }。主要因素：{ $factor } { $times }。
weighs-most = { $speed }。影响最大的因素：{ $factor } { $times }。
no-factor-differs = { $speed }，已知因素都没有差别。
factor-times = { $factor } { $times }
so-many-times = { $times } 倍
times-on-sides = { $times } 倍（这里 { $here }，基准 { $base }）
value-in-range = { $value }（{ $low } 至 { $high }）
from-to = { $low } 至 { $high }
as-many-instructions = 完成同样的工作，两边执行的指令数相同{ $why }。
instructions-depend = 完成同样的工作，{ $name } 执行的指令是否多于 { $base } 取决于其运行频率：{ $times } 倍{ $why }。
more-instructions = 完成同样的工作，{ $name } 执行的指令比 { $base } 多：{ $times } 倍{ $why }。
fewer-instructions = 完成同样的工作，{ $name } 执行的指令比 { $base } 少：{ $times } 倍{ $why }。
of-one-program = （同一程序，同一指令集）
of-what-others-leave = （未计数：由其他因素剩余得出）
beyond-stated = 未测量的因素：{ $factor }，其他因素的剩余超出其公布的范围：残差 { $times } 倍。这一部分不是频率：同样工作量的指令数、操作系统或虚拟机可能不同。
second-thread-gains-more = 核的第二个线程使其速度在这里为 { $here } 倍，在基准为 { $base } 倍，单线程 IPC 分别为 { $ipc } 和 { $base-ipc }：IPC 越低，第二个线程的收益越大。
second-thread-gains-no-more = 核的第二个线程使其速度在这里为 { $here } 倍，在基准为 { $base } 倍，单线程 IPC 分别为 { $ipc } 和 { $base-ipc }：IPC 较低的一方收益并不更大。
to-be-able = 要能归因：{ $remedy }。
runs-unlike = 两次运行有差异：{ $why }。
beside-it = 此外：{ $factors }。
follows-from-others = 未测量的因素：{ $factor }，由其他因素剩余得出，因此没有残差可供检验。
all-accounted = 各因素可解释全部差异：残差 { $residual }。
residual-within = 残差 { $times } 倍，在各因素的不确定范围内。
residual-beyond = 残差 { $times } 倍：各因素不能解释全部差异。
residual-one = 没有残差可供检验：{ $factor } 由其他因素剩余得出，包含其误差。
remain-unseparated = 其余 { $times } 倍没有计数器能分开，属于：{ $factors }。
follows-from-one-program = 未测量的因素：{ $factor }，由其他因素剩余得出，假定同一程序在同一指令集上执行的指令数相同。没有残差可供检验。
residual-is = 残差 { $times } 倍。
remain-uncounted = 其余 { $times } 倍没有计数，属于：{ $factors }。
die-interleaving = 原因是 DIE 交织：{ $whole } 把一个插槽的 { $dies } 个 DIE 合为一个 NUMA 节点；{ $apart } 访问本 DIE 内存为 { $own }，一个插槽内各 DIE 平均为 { $mean }。

## work

from-not-looked-yet = 尚未查找
from-no-number = 不是大于零的数

## grade

grade-noted = 注
grade-unclaimed = 不作判断
grade-refused = 不求比值

## incomparable

word-definition = 测试的定义已改变
word-meaning = 单位或好坏方向不同
word-no-ratio = 有一个值为零或不是数
word-distance = 内存的距离未知
word-content = 内存中的数据不同
word-pages = 申请的页类型不同
word-base-page = 基本页的大小不同
word-huge-share = 实际得到的页类型不同
word-footprint = 其中一边的缓冲区能放入缓存
word-reach = 两边末级缓存的边界不同
word-placement = 内存所在节点不同
word-caches = 一方的 vCPU 位于多个缓存
word-crowd = 参与的 CPU 数不同
word-threads = 相加的 CPU 数不同
word-part = 整机与部分对比
word-states = 数据多峰
word-code = 最快的机器码不同
word-unfit = 有一台机器环境检查不合格
word-doubtful = 有一台机器环境检查为警告
word-tool = 测量程序不同
word-version = 测量程序版本不同
word-kernels = 核函数源码不同
word-depth = 测量深度不同
word-host = 虚拟机与物理机，或虚拟化层不同
word-scope = 同时计数的事件来自不同的 CPU 集合
why-definition = 其定义在基准中为版本 { $base }，在这里为版本 { $here }：不同版本的数据不可比
fix-same-cpulens = 用同一版 cpulens 测两边：{ $command }
why-meaning = 两份记录的单位或好坏方向不同
why-no-ratio = 有一个值为零、负数或不是数，无法求比值
why-distance = 内存在编号相同的节点上：两边与 CPU 的距离并非都已知
fix-distance = 一并导入两台机器的 lscpu -e 和 numactl -H 输出
why-content = 内存中的数据：基准为 { $base }，这里为 { $here }
fix-content = 用相同内容测两边：{ $command }
why-pages = 申请的页：基准为 { $base }，这里为 { $here }
fix-pages = 两边都运行 { $command } --where pages={ $pages }
why-base-page = 基本页的大小：基准为 { $base }，这里为 { $here }；页越大，页表遍历越少
fix-base-page = 两边用基本页大小相同的内核，或运行 { $command } --where pages=thp
why-huge-share = 基准有 { $base } 的内存在大页上，这里为 { $here }
fix-huge-share = 两边用相同的透明大页设置（echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled），再运行 { $command }
why-footprint = 缓冲区在基准中是末级缓存的 { $base } 倍，这里是 { $here } 倍：低于 { $limit } 倍时响应的是缓存而非内存
fix-footprint = 腾出内存，使缓冲区足够大，再运行 { $command }
why-reach = 此大小是基准末级缓存的 { $base } 倍，是这里的 { $here } 倍：一边由缓存响应，另一边由内存响应
fix-reach = 对两份记录运行 cpulens show RECORD 可得各级延时，它不依赖此大小
why-placement = 基准有 { $base } 的内存在 CPU 本地节点，这里为 { $here }
fix-nodes = 两边都运行 { $command } --nodes 0
caches-baseline = 基准中 vCPU 位于多个末级缓存，此处位于同一个
caches-here = 基准中 vCPU 位于同一个末级缓存，此处位于多个
pin-virtual = 在宿主机上绑定 vCPU（如 virsh vcpupin）
why-crowd = 参与的 CPU：基准为 { $base } 个 CPU，这里为 { $here } 个 CPU，且它们互相等待
fix-cpus = 两边都运行 { $command } --cpus LIST，LIST 为 { $cpus } 个 CPU
why-threads = 基准为 { $base } 个 CPU，这里为 { $here } 个 CPU
why-part = 参与的核：基准为{ $base }，这里为{ $here }
all-cores = 整机全部的核（{ $n }）
some-cores = 整机部分的核（{ $n }）
fix-cpus-or-core = 两边都运行 { $command } --cpus LIST，LIST 为 { $cpus } 个 CPU；或看每核比值
fix-part = 两边都运行 { $command }，不加 --cpus、--nodes，不设 cpuset
why-states = 基准中有 { $base } 个峰，这里有 { $here } 个：跨峰的中位数不代表任何一个
fix-states = 再运行 { $command }，用不会被迁移的 CPU
why-code = 最快的代码：基准为 { $base }，这里为 { $here }
fix-unfit = 处理后重新测量：cpulens run
why-tool = 测量工具：基准 { $base }，本记录 { $here }；定义相同的行逐行对比
fix-tool = 两边都用 cpulens run 测量
why-version = 测量版本：基准 { $base }，本记录 { $here }；定义逐行对比
fix-same-cpulens-plain = 用同一版 cpulens 测两边
why-kernels = 被计时的机器码由不同的源码生成
why-depth = 基准以深度 { $base } 测量，本记录为 { $here }：缓冲区、大小和样本数不同
fix-host = 两边都在虚拟机中测，或都在物理机上测
why-guest-here = 基准运行在物理机上，本记录是 { $hypervisor } 的虚拟机
why-guest-baseline = 基准是 { $hypervisor } 的虚拟机，本记录运行在物理机上
why-guests = 基准是 { $base } 的虚拟机，本记录是 { $here } 的虚拟机
why-benchmark = { $what }：基准为 { $base }，这里为 { $here }
fix-benchmark = 两边用同一工具同一版本的同一项数据
why-changed = 本工具的 { $what } 以版本 { $version } 与原工具对照过，而本记录为版本 { $here }
fix-changed = 用本版 cpulens 测量：{ $command }
why-scope = 同时计数的事件：基准来自{ $base }，这里来自{ $here }：只有时间可比
fix-scope = 两边只对该程序计数：cpulens stat -- COMMAND，或不带 -a、-C 的 perf stat
why-software = 其 { $name }：基准为 { $base }，这里为 { $here }
fix-software = 两边用相同的 { $name }
word-another-tool = 工具不同
word-another-figure = 该工具的另一项数据
word-another-version = 工具版本不同
word-ours = 本工具同定义的测试
word-never-beside = 本工具的测试从未与原工具对照
word-not-quite = 本工具的测试不完全相同
word-os = 操作系统不同
word-server = 服务器不同
word-transport = 客户端连接服务器的方式不同
word-compiler = 编译器或编译选项不同
not-stated = 未说明
of-program = 该程序
of-all = 全部 CPU
of-some = 部分 CPU
of-nobody-knows = 不明对象
