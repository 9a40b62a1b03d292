/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * The files of conf/wireshark, as octets of this program; the headers are made when it is built.
 */
#pragma once

#include "cli_wireshark_colorfilters.h"
#include "cli_wireshark_dfilter_buttons.h"
#include "cli_wireshark_lua.h"
#include "cli_wireshark_preferences.h"
