/* What Debian's libstdc++ and libgcc, made for glibc, ask of the C library beyond what musl 1.2.3 has. */
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <time.h>

size_t strftime_l(char *, size_t, const char *, const struct tm *, locale_t);

char __libc_single_threaded = 0;
unsigned __cpu_model[4];
unsigned __cpu_features2[4];

uint32_t arc4random(void) {
  uint32_t value;
  if (getrandom(&value, sizeof value, 0) != sizeof value) abort();
  return value;
}

size_t __strftime_l(char *text, size_t size, const char *format, const struct tm *time, locale_t locale) {
  return strftime_l(text, size, format, time, locale);
}

/* Thread-local objects are then not destroyed at the end of a thread, which costs a test nothing. */
int __cxa_thread_atexit_impl(void (*destroy)(void *), void *object, void *library) { return 0; }

/* Not found: libgcc then asks dl_iterate_phdr, as it does with musl everywhere. */
int _dl_find_object(void *address, void *result) { return -1; }

int __cpu_indicator_init(void) { return 0; }
