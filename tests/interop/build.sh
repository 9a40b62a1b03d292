#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the doic-agent authors
# Compiles the Erlang client and server and their dictionaries into FOLDER. Usage: build.sh FOLDER
set -euo pipefail
out=$(realpath -m "$1")
cd "$(dirname "$0")"
mkdir -p "$out"
diameterc -o "$out" doic_overload.dia
erlc -o "$out" "$out/doic_overload.erl"
diameterc -o "$out" -i "$out" --name gx_rfc7683 --prefix gx_rfc7683 --inherits diameter_gen_doic_rfc7683 gx.dia
diameterc -o "$out" -i "$out" --name gx_overload --prefix gx_overload --inherits doic_overload gx.dia
erlc -Werror -o "$out" "$out"/gx_rfc7683.erl "$out"/gx_overload.erl doic_words.erl doic_client.erl doic_server.erl
