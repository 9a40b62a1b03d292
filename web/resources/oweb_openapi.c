/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * /api/openapi.yaml: the description of all this, as it was when the program was built.
 */
#include "../oweb_resources.h"
#include "oweb_openapi_text.h"

void oweb_openapi_get(struct oweb_request *request)
{
	oweb_reply_constant(request, 200, "application/yaml", (const char *)openapi_text,
			    sizeof(openapi_text));
}
