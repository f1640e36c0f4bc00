// SPDX-License-Identifier: MIT OR GPL-2.0
/*
 * Counts primes in the kernel, on the thread that asks and wherever that thread may run, with interrupts on or off, and
 * tells how long it took. /dev/cpulens_noise, for root: write "on|off FIRST LAST NANOSECONDS", then read the result.
 *
 * Interrupts are never off for longer than one quantum, of two milliseconds at most; between quanta everything that waited
 * is let in, a signal ends the pass, and the scheduler is asked. Nothing of the kernel is changed or hooked.
 *
 * Three things end a quantum: the clock, the processor's counter of cycles, and a number of steps. The last two are calibrated
 * before the pass with interrupts on, and hold where the clock stands still while they are off, as jiffies do.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/miscdevice.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>
#include <linux/uaccess.h>

/* Numbers between two looks at the clock: near MOST_NUMBERS some 80 us (Zen 3) to 400 us (old dividers) of work. */
#define STEP 128
/* Beyond which no number is looked at. */
#define MOST_NUMBERS 1000000
/* The longest that interrupts may be off: half a tick at 250 Hz, and a thousandth of what a watchdog allows. */
#define MOST_NANOSECONDS 2000000
/* The clock and the counter of cycles are compared over so long and so many changes of the clock: ten jiffies, or 5 ms. */
#define CALIBRATION_NANOSECONDS 5000000
#define CALIBRATION_CHANGES 10
/* Cycles without a change of the clock after which it is taken to stand still. */
#define STANDS_STILL (1ULL << 33)
/* The fastest of so many steps is a class's; a class has numbers of one length in bits. */
#define CALIBRATION_STEPS 3
#define CLASSES 20

u64 cpulens_quantum(u64 first, u64 last);
extern const u8 cpulens_quantum_begin[], cpulens_quantum_end[];

struct pass {
	bool off;
	unsigned int first, last, nanoseconds;
	/* What a quantum may take: cycles, and steps that begin in a class. A quarter and twice more than it should. */
	u64 cycles, steps[CLASSES];
	/* What came of it; the longest quantum also by the counter of cycles, in nanoseconds. */
	u64 found, wall, worked, longest, longest_cycles;
	unsigned int quanta;
};

/* What one opening of the device has to say. */
struct answer {
	struct mutex lock;
	size_t length;
	char text[256];
};

/* FNV-1a over the code that runs, as it lies in memory. */
static u64 hash(void)
{
	const u8 *byte;
	u64 hash = 0xcbf29ce484222325ULL;

	for (byte = cpulens_quantum_begin; byte < cpulens_quantum_end; byte++)
		hash = (hash ^ *byte) * 0x100000001b3ULL;
	return hash;
}

static u64 counted(void)
{
	return get_cycles();
}

static unsigned int class_of(unsigned int number)
{
	return min_t(unsigned int, ilog2(number), CLASSES - 1);
}

/*
 * What may end a quantum when the clock does not, found with interrupts on. A counter that does not advance, or a clock that
 * does not, is none to rely on.
 */
static int calibrate(struct pass *pass)
{
	/* The cycles enclose the time: a hypervisor's pause between two reads makes the quanta no shorter. */
	u64 first = counted(), begin = ktime_get_raw_ns(), now = begin, passed, cycles, at = first;
	unsigned int changes = 0, class, try;

	while (now - begin < CALIBRATION_NANOSECONDS || changes < CALIBRATION_CHANGES) {
		u64 before = now;

		if (signal_pending(current))
			return -EINTR;
		cpulens_quantum(2, 2 + STEP);
		now = ktime_get_raw_ns();
		if (now != before) {
			changes++;
			at = counted();
		} else if (counted() - at > STANDS_STILL) {
			return -ENODEV;
		}
		cond_resched();
	}
	passed = now - begin;
	cycles = counted() - first;
	if (!cycles)
		return -ENODEV;
	pass->cycles = div64_u64(cycles * pass->nanoseconds, passed) * 5 / 4;

	for (class = 0; class < CLASSES; class++) {
		unsigned int from = max(1U << class, 2U), to = min(from + STEP, (unsigned int)MOST_NUMBERS);
		u64 fastest = U64_MAX;

		for (try = 0; try < CALIBRATION_STEPS; try++) {
			u64 before = counted();

			cpulens_quantum(from, to);
			fastest = min(fastest, counted() - before);
		}
		pass->steps[class] = 1 + 2 * div64_u64(pass->cycles, max_t(u64, fastest, 1));
		cond_resched();
	}
	return 0;
}

/* Cycles as nanoseconds; pass->cycles are 5/4 of a quantum's. */
static u64 nanoseconds(const struct pass *pass, u64 cycles)
{
	return div64_u64(cycles * pass->nanoseconds * 5, max_t(u64, pass->cycles * 4, 1));
}

/* One quantum: steps until the time is up, as far as the longest step so far foretells. Returns where it stopped. */
static unsigned int quantum(struct pass *pass, unsigned int at)
{
	unsigned long flags = 0;
	u64 begin, before, now, step = 0, first, last, cycles, longest = 0;
	u64 steps = pass->steps[class_of(at)];

	if (pass->off)
		local_irq_save(flags);
	begin = now = ktime_get_raw_ns();
	first = cycles = counted();
	do {
		unsigned int end = min(at + STEP, pass->last);

		before = now;
		last = cycles;
		pass->found += cpulens_quantum(at, end);
		at = end;
		/* The time encloses the cycles, or a pause between the reads would look like a clock that stands still. */
		cycles = counted();
		now = ktime_get_raw_ns();
		step = max(step, now - before);
		longest = max(longest, cycles - last);
	} while (at < pass->last && now - begin + step <= pass->nanoseconds &&
		 cycles - first + longest <= pass->cycles && --steps);
	if (pass->off)
		local_irq_restore(flags);
	pass->worked += now - begin;
	pass->longest = max(pass->longest, now - begin);
	pass->longest_cycles = max(pass->longest_cycles, nanoseconds(pass, cycles - first));
	pass->quanta++;
	return at;
}

static int run(struct pass *pass)
{
	unsigned int at = pass->first;
	int error = calibrate(pass);
	u64 begin;

	if (error)
		return error;
	begin = ktime_get_raw_ns();
	while (at < pass->last) {
		if (signal_pending(current))
			return -EINTR;
		at = quantum(pass, at);
		cond_resched();
	}
	pass->wall = ktime_get_raw_ns() - begin;
	return 0;
}

static int asked(struct pass *pass, const char *text)
{
	char interrupts[4], rest;

	if (sscanf(text, "%3s %u %u %u %c", interrupts, &pass->first, &pass->last,
		   &pass->nanoseconds, &rest) != 4)
		return -EINVAL;
	if (!strcmp(interrupts, "off"))
		pass->off = true;
	else if (strcmp(interrupts, "on"))
		return -EINVAL;
	if (pass->first < 2 || pass->first > pass->last || pass->last > MOST_NUMBERS)
		return -ERANGE;
	if (!pass->nanoseconds || pass->nanoseconds > MOST_NANOSECONDS)
		return -ERANGE;
	return 0;
}

static ssize_t device_write(struct file *file, const char __user *from, size_t length, loff_t *at)
{
	struct answer *answer = file->private_data;
	struct pass pass = {};
	char text[64];
	int error;

	if (length >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, from, length))
		return -EFAULT;
	text[length] = 0;
	error = asked(&pass, strim(text));
	if (error)
		return error;
	if (mutex_lock_interruptible(&answer->lock))
		return -EINTR;
	error = run(&pass);
	if (!error)
		answer->length = scnprintf(answer->text, sizeof(answer->text),
			"found %llu\nwall %llu\nworked %llu\nlongest %llu\nquanta %u\nhash %016llx\n"
			"longest_cycles %llu\n",
			pass.found, pass.wall, pass.worked, pass.longest, pass.quanta, hash(),
			pass.longest_cycles);
	mutex_unlock(&answer->lock);
	return error ? error : length;
}

static ssize_t device_read(struct file *file, char __user *to, size_t length, loff_t *at)
{
	struct answer *answer = file->private_data;
	ssize_t read;

	if (mutex_lock_interruptible(&answer->lock))
		return -EINTR;
	read = simple_read_from_buffer(to, length, at, answer->text, answer->length);
	mutex_unlock(&answer->lock);
	return read;
}

static int device_open(struct inode *inode, struct file *file)
{
	struct answer *answer;

	/* Beside the mode of the file, which others may change: this is as near to the hardware as ports and registers are. */
	if (!capable(CAP_SYS_RAWIO))
		return -EPERM;
	answer = kzalloc(sizeof(*answer), GFP_KERNEL);
	if (!answer)
		return -ENOMEM;
	mutex_init(&answer->lock);
	file->private_data = answer;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

/* The module cannot go while the device is open: its owner is this module. */
static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.read = device_read,
	.write = device_write,
	.llseek = default_llseek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "cpulens_noise",
	.fops = &operations,
	.mode = 0600,
};

module_misc_device(device);

MODULE_LICENSE("Dual MIT/GPL");
MODULE_AUTHOR("The cpulens authors");
MODULE_DESCRIPTION("Counts primes with interrupts on or off, for cpulens noise --kmod");
