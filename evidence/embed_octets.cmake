# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Makes a C array of a file: cmake -DIN=FILE -DOUT=HEADER -DNAME=array -P embed_octets.cmake
file(READ ${IN} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," octets "${hex}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" octets "${octets}")
file(WRITE ${OUT} "static const unsigned char ${NAME}[] = {\n${octets}\n};\n")
