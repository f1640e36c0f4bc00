//! Memory system calls behind narrow, mostly safe functions.
use std::{ffi::c_ulong, io, ptr};

/// The result of a system call, or the error that it left.
pub(crate) fn checked<T: PartialOrd + Default>(result: T) -> io::Result<T> {
    if result < T::default() { Err(io::Error::last_os_error()) } else { Ok(result) }
}

/// New address space at an address of the kernel's choice; `flags` must not contain `MAP_FIXED`.
pub(crate) fn mmap(bytes: usize, protection: i32, flags: i32) -> io::Result<usize> {
    mmap_file(-1, bytes, protection, flags)
}

/// The same for a file, from its beginning.
pub(crate) fn mmap_file(fd: i32, bytes: usize, protection: i32, flags: i32) -> io::Result<usize> {
    let flags = flags & !libc::MAP_FIXED;
    // SAFETY: without MAP_FIXED the kernel picks addresses that nobody uses, so no memory that anyone has a reference to can
    // change. A descriptor that is none is an error (EBADF), but for anonymous memory.
    let start = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, fd, 0) };
    if start == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(start as usize) }
}

/// Checks that so many bytes of address space are left (RLIMIT_AS), and takes none of them.
///
/// # Errors
/// That of mmap(2).
pub(crate) fn check_address_space(bytes: usize) -> io::Result<()> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let start = mmap(bytes, libc::PROT_NONE, flags)?;
    // SAFETY: this mapping, to which nothing refers.
    unsafe { unmap(start, bytes) };
    Ok(())
}

/// Makes inaccessible memory readable and writable.
pub(crate) fn make_usable(start: usize, bytes: usize) -> io::Result<()> {
    // SAFETY: adding permissions to pages invalidates no reference.
    checked(unsafe { libc::mprotect(start as *mut _, bytes, libc::PROT_READ | libc::PROT_WRITE) })
        .map(drop)
}

/// Advice about page sizes and inheritance. Advice that could change contents is refused.
pub(crate) fn advise(start: usize, bytes: usize, advice: i32) -> io::Result<()> {
    let harmless = [
        libc::MADV_HUGEPAGE,
        libc::MADV_NOHUGEPAGE,
        libc::MADV_POPULATE_WRITE,
        libc::MADV_DONTFORK,
    ];
    if !harmless.contains(&advice) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // SAFETY: the kinds of advice admitted above choose page sizes, fault pages in or keep them out of children;
    // none changes what a reader of the memory sees, and a child of ours reads nothing but its own stack.
    checked(unsafe { libc::madvise(start as *mut _, bytes, advice) }).map(drop)
}

/// Unmaps a mapping.
///
/// # Safety
/// The range is a whole mapping of the caller's without references into it.
pub(crate) unsafe fn unmap(start: usize, bytes: usize) {
    // SAFETY: the caller's promise. It fails only for arguments that are no mapping.
    unsafe { libc::munmap(start as *mut _, bytes) };
}

/// A mask of nodes and its length in bits plus one: the kernel reads one bit fewer than it is given (get_nodes in
/// mm/mempolicy.c).
fn node_mask(nodes: &[u32]) -> (Vec<c_ulong>, usize) {
    let word = c_ulong::BITS as usize;
    let last = nodes.iter().copied().max().unwrap_or(0) as usize;
    let mut mask: Vec<c_ulong> = vec![0; last / word + 1];
    for node in nodes.iter().map(|node| *node as usize) {
        mask[node / word] |= 1 << (node % word);
    }
    let bits = mask.len() * word + 1;
    (mask, bits)
}

/// Sets the memory policy of the calling thread, which new threads inherit.
pub(crate) fn set_mempolicy(mode: i32, nodes: &[u32]) -> io::Result<()> {
    let (mask, bits) = node_mask(nodes);
    let (mask, bits) = if nodes.is_empty() { (ptr::null(), 0) } else { (mask.as_ptr(), bits) };
    // SAFETY: reads `bits - 1` bits from `mask`, which has that many, or nothing. A policy decides where pages come from
    // and changes no memory.
    checked(unsafe { libc::syscall(libc::SYS_set_mempolicy, mode as libc::c_long, mask, bits) })
        .map(drop)
}

/// Binds untouched memory to a node.
pub(crate) fn bind(start: usize, bytes: usize, node: u32) -> io::Result<()> {
    let (mask, bits) = node_mask(&[node]);
    let mode = libc::MPOL_BIND as c_ulong;
    // SAFETY: reads `bits - 1` bits from `mask`, which has that many. A policy moves nothing without
    // MPOL_MF_MOVE, and moved pages would keep their contents and addresses anyway.
    checked(unsafe {
        libc::syscall(libc::SYS_mbind, start, bytes, mode, mask.as_ptr(), bits, 0usize)
    })
    .map(drop)
}

/// The node of each page, in order; negative where a page has none (an `errno`).
pub(crate) fn nodes_of(pages: &[usize]) -> io::Result<Vec<i32>> {
    let mut nodes = vec![i32::MIN; pages.len()];
    let nowhere = ptr::null::<i32>();
    // SAFETY: with no target nodes the call only asks. The kernel reads `pages.len()` addresses from
    // `pages` and writes as many ints to `nodes`; both have that many. Thread 0 is this process.
    let done = unsafe {
        libc::syscall(
            libc::SYS_move_pages,
            0,
            pages.len(),
            pages.as_ptr(),
            nowhere,
            nodes.as_mut_ptr(),
            0,
        )
    };
    if done == 0 { Ok(nodes) } else { Err(io::Error::last_os_error()) }
}

/// The node of one page, with a page fault if it is not present.
pub(crate) fn node_of(page: usize) -> io::Result<i32> {
    let mut node = i32::MIN;
    let no_mask = ptr::null_mut::<c_ulong>();
    // linux/mempolicy.h: ask for a node, and for that of an address.
    const MPOL_F_NODE: usize = 1;
    const MPOL_F_ADDR: usize = 2;
    let flags = MPOL_F_NODE | MPOL_F_ADDR;
    // SAFETY: writes one int, and `node` is one; no mask is asked for. The address is only looked up:
    // one that is not mapped is an error (EFAULT).
    let done = unsafe {
        libc::syscall(libc::SYS_get_mempolicy, &raw mut node, no_mask, 0usize, page, flags)
    };
    if done == 0 { Ok(node) } else { Err(io::Error::last_os_error()) }
}
