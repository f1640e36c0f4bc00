//! The kinds of figures, in reading order.

record::named! {
    /// The id of a figure. Its name in snake case begins its keys in JSON.
    pub enum FigureId {
        /// Frequency of one busy core.
        CoreFrequency = "core_frequency",
        /// Floating-point operations a second of one core, by vector multiply-adds.
        VectorFlops = "vector_flops",
        /// The cost of a mispredicted branch.
        BranchMiss = "branch_miss",
        /// Load-to-use latency of the L1 cache.
        L1Latency = "l1_latency",
        /// Latency of the L2 cache.
        L2Latency = "l2_latency",
        /// Latency of the L3 cache.
        L3Latency = "l3_latency",
        /// Latency of memory on base pages.
        MemoryLatency = "memory_latency",
        /// Latency of memory on huge pages.
        MemoryLatencyHugePages = "memory_latency_huge_pages",
        /// Latency of memory in an order that spares the TLB, where no curve in random order becomes flat.
        MemoryLatencyGrouped = "memory_latency_grouped",
        /// Latency of the largest working set, where the curve in random order on base pages does not become flat.
        LargestWorkingSetLatency = "largest_working_set_latency",
        /// Latency of the largest working set on huge pages, where their curve does not become flat.
        LargestWorkingSetLatencyHugePages = "largest_working_set_latency_huge_pages",
        /// Latency of memory while all other cores read as much as they can.
        LoadedLatency = "loaded_latency",
        /// Read bandwidth of one core.
        ReadBandwidthOneCore = "read_bandwidth_one_core",
        /// Read bandwidth of all cores.
        ReadBandwidthAllCores = "read_bandwidth_all_cores",
        /// Copy bandwidth of all cores with non-temporal stores.
        CopyBandwidthAllCores = "copy_bandwidth_all_cores",
        /// One way of a cache line between the nearest two cores.
        CoreToCoreLatency = "core_to_core_latency",
        /// Between the farthest two.
        CoreToCoreLatencyFarthest = "core_to_core_latency_farthest",
        /// Latency of the farthest NUMA node.
        RemoteMemoryLatency = "remote_memory_latency",
        /// Bandwidth of the farthest NUMA node.
        RemoteMemoryBandwidth = "remote_memory_bandwidth",
        /// First touch of a page.
        MinorPageFault = "minor_page_fault",
        /// `munmap` of a page while all other CPUs run threads of the program.
        TlbShootdown = "tlb_shootdown",
        /// The cheapest system call.
        SystemCall = "system_call",
        /// sysbench's prime test on one core.
        PrimesOneCore = "primes_one_core",
        /// On all CPUs.
        PrimesAllCores = "primes_all_cores",
        /// Share of time that the most disturbed CPU loses.
        OsNoise = "os_noise",
        /// The longest detour.
        LongestDetour = "longest_detour",
        /// UnixBench's index with one copy.
        UnixbenchIndex = "unixbench_index",
        /// With the most copies.
        UnixbenchIndexAllCopies = "unixbench_index_all_copies",
        /// Throughput of a workload on one core.
        ScalingThroughputOneCore = "scaling_throughput_one_core",
        /// On all cores.
        ScalingThroughputAllCores = "scaling_throughput_all_cores",
        /// The most throughput of a database.
        DatabaseThroughput = "database_throughput",
    }
}
