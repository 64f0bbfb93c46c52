#!/bin/sh
# Makes the folder $1 the root of the mount namespace that it runs in, and systemd its first process; machine.ts.
set -e
cd "$1"

mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=666 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd

# The former root is mounted over the new one, and let go of.
pivot_root . .
umount -l .
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /sbin/init
