## bandwidth-scalings

again-quiet = 在没有其他程序运行时重新测量
few-undisturbed = { $threads } 个线程时未受干扰的样本太少
one-number-of-threads = 只有一种线程数的带宽，无法推断其他线程数
scaling-more-cpus = 在更多 CPU 上执行 cpulens run --only bandwidth_scaling
rises-with-last = 增加到 { $threads } 个线程时带宽仍在上升：到达上限的可能是线程而不是内存

## cache-bandwidth

no-set-delivers-between = { $from } 至 { $to } 之间（只由 { $level } 供数）没有测量工作集
no-set-delivers-from = { $from } 以上（只由 { $level } 供数）没有测量工作集
free-memory-or-thorough = 释放内存，或 cpulens run --only cache_bandwidth --depth thorough

## curves

size-not-stated = 机器未给出 { $cache } 缓存的容量
last-size-unknown = 末级缓存的容量未知，无法判断曲线的哪一段是内存
info-shows = cpulens info 显示哪些信息无法读取及其原因
no-set-answers-between = { $from } 至 { $to } 之间（只由 { $level } 响应）没有测量工作集
curve-not-flat = { $from } 至 { $to } 之间曲线不平：{ $level } 小于声明值、被他人共享，或被噪声掩盖
latency-quiet-standard = cpulens run --only load_latency --depth standard，期间不运行其他程序
latency-quiet-host = cpulens run --only load_latency，期间该宿主机上不运行其他程序
latency-quiet = cpulens run --only load_latency，期间不运行其他程序
free-node-then-standard = 释放该节点的内存，再执行 cpulens run --only load_latency --depth standard
largest-too-small = 最大工作集 { $largest } 小于 { $cache }（{ $capacity }）的 { $times } 倍：部分访存仍由缓存命中
one-point-beyond = 超过 { $cache } { $times } 倍的点只有一个（{ $point }），无法确认曲线在此处是平的
curve-still-rises = 超过 { $cache }（{ $capacity }）的 { $times } 倍后曲线仍在上升：是缓存、内存和页表遍历的混合
as-memory = { $from } 至 { $to } 之间访存耗时 { $load }，内存为 { $memory }：该缓存被他人占用，或小于声明值
as-mixture = { $from } 至 { $to } 之间访存耗时 { $cycles } 周期，而 { $microarchitecture } 的 { $level } 至多 { $most }：大部分被他人占用，实为与内存的混合
flat-faster-than = 其平台比 { $level } 的更快：测量曲线期间机器状态发生了变化

## drift

moved-by = { $resource }变化 { $range }
moved-and-rests = { $moved }（{ $figures }）
rests-frequency = 影响随核心频率变化的一切数据：应比较周期数而非时间
rests-ports = 影响每周期操作数：有其他线程占用该核
rests-l2 = 影响缓存的延时和带宽
rests-l3 = 影响末级缓存的数据
rests-memory = 影响内存的数据
rests-placement = 影响核间数据
steady = 机器状态稳定：{ $samples } 个参考样本间，{ $moved }
drifted = 运行期间机器状态漂移：{ $moved }
full-stop = { $sentence }。

## energy

energy-took = 处理器在 { $time } 的用例中耗能 { $energy }，平均 { $power }。
energy-took-reached = 处理器在 { $time } 的用例中耗能 { $energy }，平均 { $power }，最高 { $temperature }。

## expected

beside-published = 与 { $microarchitecture } 的公开数据相比：{ $judgements }。
as-expected = 与预期相符
better-than-expected = 优于预期
share-of-published = 为 { $microarchitecture } 的 { $share }
these-as-expected = { $names } 与预期相符
which-judged = { $name } { $judgement }
not-published = 没有可供对比的 { $microarchitecture } 公开数据

## judgement

unknown-what = 无法判断{ $what }
how-fast-core = 核心主频是多少
core-as-advertised = 核心是否达到标称频率
core-below-base = 核心主频为 { $measured }，比基频（{ $rated }）低 { $below }
core-below-maximum = 核心主频为 { $measured }，比最高频率（{ $rated }）低 { $below }
and-governor = { $slow }；调频策略为 { $governor }
set-governor = 执行 sudo cpupower frequency-set -g performance，再重新测量
look-for-heat = 检查过热、功耗上限或机器满载：sudo turbostat 显示主频及其受限原因
core-unsteady = 核心主频不稳定：90 % 的时间在 { $low } 至 { $high } 之间，相差 { $spread }
steady-governor = 在没有其他程序运行时测量；自有机器可执行 sudo cpupower frequency-set -g performance
imported-other-machine = { $files } 个文件中有 { $other } 个与之前文件的机器描述矛盾：属于其他机器，或设置不同
import-by-itself = 每台机器的文件分开导入
imported-results = 这些是其他工具的结果，从 { $files } 个文件导入：当时机器的占用情况和主频未知
measure-that-machine = 在该机器上执行 cpulens run 测量
imported-doubts = 导入内容有 { $doubts } 处疑问，列在“其他工具的结果”一节
quota-used = CPU 配额只允许 { $quota } 个 CPU 的时间，而用例同时使用 { $used } 个 CPU：内核可能曾将其限流
raise-quota = 提高配额：cgroup 的 cpu.max、docker run 的 --cpus、Kubernetes 的 limits.cpu；或用 --cpus 测量较少的 CPU
only-some-cpus = { $online } 个在线 CPU 中只有 { $usable } 个可用：关于“全部 CPU”的结论仅指这些 CPU，其余 CPU 上可能有其他程序运行
widen-cpuset = 若要测整机，用 taskset 或 cgroup 的 cpuset.cpus 放宽可用 CPU
others-busy = 其他程序是否占用 CPU
others-used-during = 测量期间其他程序占用了 { $share } 的 CPU
others-used-around = 运行前后其他程序占用了 { $share } 的 CPU
stop-them = 停止这些程序：用 top 查看；或用 --cpus 在空闲的 CPU 上测量
hypervisor-took = 虚拟化层是否窃取了 CPU 时间
steal-during = 测量期间虚拟化层窃取了 { $share } 的 CPU 时间
steal-around = 运行前后虚拟化层窃取了 { $share } 的 CPU 时间
another-time = 换个时间重新测量，或使用独占 CPU 的实例
runnable = 运行前后，{ $cpus } 个 CPU 上通常另有 { $tasks } 个任务等待 CPU
wait-done = 等它们结束：用 ps -eo stat,pid,comm | grep ^R 查看
swapped = 机器每秒换页 { $pages } 页
free-swap = 释放内存：停止其他程序；或在 sudo swapoff -a 之后用较小的缓冲区测量
disturbed-samples = { $samples } 个样本中有 { $disturbed } 个（{ $share }）受干扰并被剔除：{ $why }
reference-fewer = 参考样本不足两次
more-than-one-case = 一次运行测量多个用例
machine-drifted = 机器状态是否漂移
again-both-agree = 在没有其他程序运行时重新测量，只比较两次运行一致的结果
hypervisor-moved = 很可能是虚拟化层迁移了 vCPU
pin-virtual = 在宿主机上绑定 vCPU（如 virsh vcpupin）
something-used-caches = 其中一次检查时有其他程序占用缓存或内存
cpus-moved = { $checked } 个多线程用例中有 { $moved } 个核间延时前后不一致：{ $why }

## matrices

two-cpus-together = 两个 CPU 谈不上分组
allow-more-cpus = 允许更多 CPU：--cpus，或更大的 cpuset
not-every-pair = 并非每一对 CPU 都已测量

## shared-core

of-per-cycle = { $operation } 每周期 { $delivered }（可达 { $can }）
core-shared = { $share } 的样本中有其他线程占用部分核心：实际得到 { $operations }，而相关操作链的耗时变化在 { $chains } 以内。
pair-shared = CPU { $from } 与 { $to } 的往返中有 { $share } 表现为同一核的两个线程。

## theoretical

modules-not-described = 没有内存条的描述
run-as-root = 以 root 运行
no-slot-filled = 固件称没有插槽装有内存条
module-speed-missing = 固件未给出 { $slot } 中内存条的运行速率

## tlb

tlb-base-unknown = 基本页上的 TLB 覆盖范围未知
tlb-quiet-standard = cpulens run --only tlb_reach --depth standard，期间不运行其他程序
tlb-step-less = { $last } 至 { $next } 页之间的台阶增加 { $miss }，少于 { $level } 缺失的 { $first }：这不是 TLB，例如同核的邻居占用了一级缓存行
tlb-no-step = 到 { $pages } 页为止访存代价没有台阶：被噪声掩盖，或一级 TLB 全部容纳
tlb-no-huge = 未在大页上测量
tlb-part-huge = 内核只把缓冲区的 { $share } 放在大页上
compact-memory = 释放内存，或进行内存规整：echo 1 | sudo tee /proc/sys/vm/compact_memory
tlb-some-miss = 部分大页像小页一样缺失而部分没有，或被噪声掩盖

## undisturbed-speeds

interrupts-on-longer = 开中断（{ $place }）时多耗 { $longer } %
interrupts-on-longer-range = 开中断（{ $place }）时多耗 { $longer } %（{ $low } 至 { $high } %）
cost-migrations = 这是中断与迁移的总代价
cost-interrupts = 这是中断及其处理程序的代价
kernel-pass = 内核态下，与同一位置关中断相比，每遍{ $longer }：{ $cost }。
kernel-pass-elsewhere = 内核态下，与关中断（{ $place }）相比，每遍{ $longer }。位置与中断同时不同，代价无法分开。
baseline-unknown = 无干扰速度未知：关中断运行需要内核模块
noise-kmod = 在测试机上以 root 执行 cpulens noise --kmod

## facts

fact-unknown = { $fact } 未知
fact-missing = 本记录中没有 { $fact }
measure-machine-again = 用 cpulens run 重新测量该机器
fact-not-number = { $fact } 不是数字
modules-unreal = 内存条由虚拟化层 ({ $hypervisor }) 描述，不一定真实
dmidecode-on-host = 在宿主机上查看：sudo dmidecode -t memory

## memory-speed

limit-module = 限制因素是最慢的内存条，额定 { $speed }。
limit-cpu = 限制因素是 CPU：它最高支持 { $speed } 的内存速率。
limit-load = 限制因素是每通道插有{ $modules ->
    [one] 一根
    [2] 两根
   *[other] { $modules } 根
}内存条：此时该 CPU 最高支持 { $speed }。
limit-firmware = 限制因素是固件设置：每通道插有{ $modules ->
    [one] 一根
    [2] 两根
   *[other] { $modules } 根
}内存条时，该 CPU 最高支持 { $speed }。
limit-undetermined = 无法判断是哪个限制因素：{ $why }。
replace-slower-modules = 若看重带宽，更换较慢的内存条：所有内存条都按最慢的速率运行。
nothing-to-set = 无需设置。额定值较低的内存条同样够用，只有换 CPU 型号才能更快。
fewer-larger-modules = 若带宽比容量更重要，使用容量更大、数量更少的内存条，每通道一根。任何固件设置都没有帮助。
set-highest-speed = 在固件设置中将内存速率设为最高（常为电源配置的一部分）。
look-up-speed = 查明该 CPU 在每通道插有同样多内存条时支持的速率，然后在固件设置中设置。
speeds-not-stated = 固件没有给出全部速率
cpu-not-in-table = 已知 CPU 的表中没有该 CPU 支持的速率
such-modules-not-in-table = 表中没有该 CPU 使用此类内存条时支持的速率
faster-than-stated = 内存运行速率高于厂商对该 CPU 的声明
own-limit-ranks-or-setting = 可能是该型号自身的限制、内存条的 rank 数，或固件设置
several-modules-or-own-limit = 可能是每通道插有多根内存条、该型号自身的限制，或固件设置
channels-of-slots-unknown = 哪些内存槽共用一个通道未知：可能是一个通道插有两根内存条、该型号自身的限制，或固件设置

## quantity

no-pmu = 不可用：没有 PMU
not-available = 不可用：{ $why }

## report

no-result = { $probe } 没有结果
probe-not-recorded = { $probe } 未记录此项
probe-not-run = 未运行 { $probe }

## words

per-second = 每秒 { $number }
per-cycle = 每周期 { $number }
celsius = { $number } °C
