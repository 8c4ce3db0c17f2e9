dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl
dnl slablab.m4 - what configure.ac says more than once.

dnl SLABLAB_NEED(VARIABLE, PKG-CONFIG MODULE, DEBIAN PACKAGE, WHAT IT IS FOR)
dnl A library that must be there; without it configure ends and names the package.
AC_DEFUN([SLABLAB_NEED], [
PKG_CHECK_MODULES([$1], [$2], [], [
	AC_MSG_ERROR([$2 was not found ($4).
On Debian it is in the package $3: apt-get install $3])])
])

dnl SLABLAB_TRY_CFLAGS(VARIABLE, FLAGS...)
dnl Append each flag that the compiler takes.
AC_DEFUN([SLABLAB_TRY_CFLAGS], [
m4_foreach_w([flag], [$2], [
	AC_MSG_CHECKING([whether the compiler takes flag])
	save_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror flag"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes]); $1="$$1 flag"],
		[AC_MSG_RESULT([no])])
	CFLAGS=$save_CFLAGS
])
])

dnl SLABLAB_TEST_TOOL(VARIABLE, PROGRAM, DEBIAN PACKAGE)
dnl A program that only the tests need; missing, the build goes on with a word about it.
AC_DEFUN([SLABLAB_TEST_TOOL], [
AC_PATH_PROG([$1], [$2])
AS_IF([test -z "$$1"], [
	AC_MSG_WARN([no $2: "make check" needs it. On Debian: apt-get install $3])
])
])
