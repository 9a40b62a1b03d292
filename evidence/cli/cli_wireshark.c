/* SPDX-License-Identifier: BSD-3-Clause
 * Copyright (c) 2026 the doic-agent authors
 * doic wireshark: puts the plugin and the profile, which are part of this program, where Wireshark looks for those of a user.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli_say.h"
#include "cli_wireshark_files.h"

#define PATH_ROOM 1024u

const char cli_wireshark_help[] =
	"doic wireshark --install-user --dry-run\n\n"
	"Teaches Wireshark and tshark of this user what a dictionary of 4.0 does not know: OC-Maximum-Rate, "
	"and "
	"reports and\n"
	"refusals as things to filter (doic.report, doic.rate, doic.refused), with a profile \"doic\": "
	"columns, "
	"colours, buttons.\n\n"
	"  --install-user   write doic.lua to ~/.local/lib/wireshark/plugins, the profile to "
	"~/.config/wireshark\n"
	"  --dry-run        say what would be written, and write nothing\n"
	"  --yes            also over files that were changed by hand\n"
	"  --json           one object on stdout, for every outcome\n\n"
	"then: tshark -r FILE -Y 'doic.rate == 250', wireshark -C doic FILE\n\n"
	"exit: 0 done, 1 a file was changed by hand, 2 usage, 4 a folder cannot be written, 70 bug\n"
	"more: man doic-wireshark\n";

enum { KEY_INSTALL = 0x100, KEY_DRY, KEY_YES, KEY_JSON, KEY_HELP };

const struct argp_option cli_wireshark_options[] = {
	{ .name = "install-user", .key = KEY_INSTALL },
	{ .name = "dry-run", .key = KEY_DRY },
	{ .name = "yes", .key = KEY_YES },
	{ .name = "json", .key = KEY_JSON },
	{ .name = "help", .key = KEY_HELP },
	{ 0 },
};

struct settings {
	bool install, dry, yes, json, help;
	json_t *files;
	char error[PATH_ROOM + 100];
};

static const struct {
	const char *variable, *below_home, *path; /* $VARIABLE or ~/below_home, then path */
	const unsigned char *data;
	size_t len;
} files[] = {
	{ NULL, ".local/lib", "wireshark/plugins/doic.lua", doic_lua, sizeof(doic_lua) },
	{ "XDG_CONFIG_HOME", ".config", "wireshark/profiles/doic/colorfilters", doic_colorfilters,
	  sizeof(doic_colorfilters) },
	{ "XDG_CONFIG_HOME", ".config", "wireshark/profiles/doic/preferences", doic_preferences,
	  sizeof(doic_preferences) },
	{ "XDG_CONFIG_HOME", ".config", "wireshark/profiles/doic/dfilter_buttons", doic_dfilter_buttons,
	  sizeof(doic_dfilter_buttons) },
};
#define FILE_COUNT (sizeof(files) / sizeof(files[0]))

static error_t take(int key, char *arg, struct argp_state *state)
{
	struct settings *settings = state->input;

	switch (key) {
	case KEY_INSTALL:
		settings->install = true;
		return 0;
	case KEY_DRY:
		settings->dry = true;
		return 0;
	case KEY_YES:
		settings->yes = true;
		return 0;
	case KEY_JSON:
		settings->json = true;
		return 0;
	case KEY_HELP:
		settings->help = true;
		return 0;
	case ARGP_KEY_ARG:
		snprintf(settings->error, sizeof(settings->error), "\"%.100s\": not expected here", arg);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static bool path_of(size_t place, char out[static PATH_ROOM])
{
	const char *home = getenv("HOME");
	const char *base = files[place].variable != NULL ? getenv(files[place].variable) : NULL;
	int len;

	if (base != NULL && base[0] == '/')
		len = snprintf(out, PATH_ROOM, "%s/%s", base, files[place].path);
	else
		len = snprintf(out, PATH_ROOM, "%s/%s/%s", home != NULL ? home : "", files[place].below_home,
			       files[place].path);
	return (home != NULL || base != NULL) && len < (int)PATH_ROOM;
}

/* What is at @path: "new" nothing, "same", or "other". */
static const char *compare(const char *path, size_t place)
{
	FILE *file = fopen(path, "re");
	char *text = file != NULL ? malloc(files[place].len + 1) : NULL;
	size_t len = text != NULL ? fread(text, 1, files[place].len + 1, file) : 0;
	bool is_same = len == files[place].len && text != NULL && memcmp(text, files[place].data, len) == 0;

	if (file != NULL)
		fclose(file);
	free(text);
	return file == NULL && errno == ENOENT ? "new" : is_same ? "same" : "other";
}

/* The folders on the way to @path. */
static int make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		int rc = mkdir(path, 0777);
		*slash = '/';
		if (rc != 0 && errno != EEXIST)
			return -1;
	}
	return 0;
}

static int write_file(char *path, size_t place)
{
	struct cli_out out = { 0 };

	if (make_folders(path) != 0 || cli_out_open(&out, path) != 0)
		return -1;
	bool ok = fwrite(files[place].data, 1, files[place].len, out.file) == files[place].len;
	return cli_out_close(&out, ok) == 0 && ok ? 0 : -1;
}

/* One pass over the files; with @writes they are written. CLI_OK, or a code with settings->error. */
static int go_over(struct settings *settings, bool writes)
{
	char path[PATH_ROOM];

	for (size_t i = 0; i < FILE_COUNT; i++) {
		if (!path_of(i, path)) {
			snprintf(settings->error, sizeof(settings->error), "HOME is not set, or too long");
			return CLI_INPUT;
		}
		const char *what = compare(path, i);
		if (!writes && strcmp(what, "other") == 0 && !settings->yes) {
			snprintf(settings->error, sizeof(settings->error),
				 "%s is there with other content; --yes writes over it", path);
			return CLI_NO;
		}
		if (writes && strcmp(what, "same") != 0 && write_file(path, i) != 0) {
			snprintf(settings->error, sizeof(settings->error), "%s cannot be written: %s", path,
				 strerror(errno));
			return CLI_INPUT;
		}
		if (!writes)
			json_array_append_new(settings->files,
					      json_pack("{s:s, s:s}", "path", path, "was", what));
	}
	return CLI_OK;
}

static int say(const struct settings *settings)
{
	json_t *file;
	size_t i;

	if (settings->json) {
		json_t *object =
			cli_object("wireshark", CLI_OK, settings->dry ? "would_install" : "installed");
		json_object_set(object, "files", settings->files);
		return cli_put_object(object, stdout) == 0 ? CLI_OK : CLI_BUG;
	}
	json_array_foreach(settings->files, i, file)
	{
		bool is_same = strcmp(json_string_value(json_object_get(file, "was")), "same") == 0;
		printf("%s  %s\n",
		       is_same	       ? "is there   "
		       : settings->dry ? "would write"
				       : "written    ",
		       json_string_value(json_object_get(file, "path")));
	}
	return fflush(stdout) == 0 ? CLI_OK : CLI_BUG;
}

static int install(struct settings *settings)
{
	int code = go_over(settings, false);

	if (code == CLI_OK && !settings->dry)
		code = go_over(settings, true);
	if (code == CLI_OK)
		return say(settings);
	return cli_fail("wireshark", settings->json, code, code == CLI_NO ? "changed_by_hand" : "unwritable",
			settings->error);
}

int cli_wireshark(int argc, char **argv)
{
	static const struct argp parser = { .options = cli_wireshark_options, .parser = take };
	struct settings settings = { .json = cli_wants_json(argc, argv) };

	int code = cli_parse_options(&parser, argc, argv, &settings, settings.error, sizeof(settings.error));
	if (code == CLI_OK && !settings.help && !settings.install) {
		snprintf(settings.error, sizeof(settings.error), "say --install-user");
		code = CLI_USAGE;
	}
	if (code != CLI_OK)
		return cli_fail("wireshark", settings.json, code, "usage", settings.error);
	if (settings.help) {
		fputs(cli_wireshark_help, stdout);
		return CLI_OK;
	}
	settings.files = json_array();
	code = install(&settings);
	json_decref(settings.files);
	return code;
}
