import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { ModuleSource } from '../archives/prepareModule';
import { isPlatformTag } from '../core/model/registryPackage';
import { MANIFEST_NAME } from '../core/modules/manifest/moduleManifest';
import { isPlatform, type Platform } from '../core/modules/platforms';

/** Error thrown when the command line is invalid. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface BuildCommand {
  readonly kind: 'build';
  /** Path of the manifest that defines the build. */
  readonly manifest: string;
  /** Target platforms; empty for the build's default platforms. */
  readonly platforms: readonly Platform[];
  /** Base folder for paths in the output; absent for the manifest's folder. */
  readonly relativeTo: string | undefined;
  readonly json: boolean;
}

export interface ValidateCommand extends ModuleSource {
  readonly kind: 'validate';
  readonly json: boolean;
}

/** Command that checks the configs of machines or fragments. */
export interface ConfigValidateCommand {
  readonly kind: 'validateConfig';
  /** Paths of JSON files; at least one. */
  readonly files: readonly string[];
  /** True if the files contain fragment configs. */
  readonly isFragment: boolean;
  readonly json: boolean;
}

/** Service to call and its credentials. */
export interface ServiceOptions {
  /** URL of the service; absent to use the URL from the environment. */
  readonly url: string | undefined;
  readonly credentialsFile: string | undefined;
  /** True to allow sending the key to another computer without encryption. */
  readonly allowPlainHttp: boolean;
  /** PEM files of certificate authorities to trust in addition to the usual ones. */
  readonly authorityFiles: readonly string[];
}

export interface UploadCommand extends ModuleSource, ServiceOptions {
  readonly kind: 'upload';
  readonly version: string;
  /** Additional tags that a machine must have. */
  readonly platformTags: readonly string[];
  /** True to update the registry entry from the manifest. */
  readonly update: boolean;
  /** True to continue even if the build has problems. */
  readonly force: boolean;
  readonly json: boolean;
}

/** Command that serves tools for agents over the Model Context Protocol. */
export interface McpCommand extends ServiceOptions {
  readonly kind: 'mcp';
  /** True to also serve tools that change something after a person has agreed. */
  readonly allowWrites: boolean;
  /** Folder whose files the tools can use; absent for none. */
  readonly workspace: string | undefined;
}

export type Command =
  | BuildCommand
  | ValidateCommand
  | ConfigValidateCommand
  | UploadCommand
  | McpCommand
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' };

const MODULE_FILE = {
  module: { type: 'string', default: MANIFEST_NAME },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const MODULE = {
  ...MODULE_FILE,
  build: { type: 'string' },
  platform: { type: 'string' },
} as const;

const CONFIG = {
  fragment: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const BUILD = {
  ...MODULE_FILE,
  platform: { type: 'string', multiple: true, default: [] as string[] },
  'relative-to': { type: 'string' },
} as const;

const SERVICE = {
  url: { type: 'string' },
  credentials: { type: 'string' },
  'allow-plain-http': { type: 'boolean', default: false },
  ca: { type: 'string', multiple: true, default: [] as string[] },
} as const;

const UPLOAD = {
  ...MODULE,
  ...SERVICE,
  version: { type: 'string' },
  tag: { type: 'string', multiple: true, default: [] as string[] },
  'no-update': { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const;

const MCP = {
  ...SERVICE,
  'allow-writes': { type: 'boolean', default: false },
  workspace: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Parses the command line.
 * @param args arguments after the script name.
 * @throws UsageError that names the invalid argument.
 */
export function parseCommandLine(args: readonly string[]): Command {
  const [group, verb, ...rest] = args;
  if (group === 'mcp') return parseMcp(args.slice(1));
  if (group === undefined || group === '--help' || group === '-h') {
    return { kind: 'help', text: HELP };
  }
  if (group === '--version') return { kind: 'version' };
  if (group === 'config') return parseConfigCommand(verb, rest);
  if (group !== 'module') throw new UsageError(`unknown command "${group}"`);
  switch (verb) {
    case 'build':
      return parseBuild(rest);
    case 'validate':
      return parseValidate(rest);
    case 'upload':
      return parseUpload(rest);
    case undefined:
    case '--help':
    case '-h':
      return { kind: 'help', text: HELP };
    default:
      throw new UsageError(`unknown command "module ${verb}"`);
  }
}

function parseConfigCommand(verb: string | undefined, args: string[]): Command {
  if (verb === undefined || verb === '--help' || verb === '-h') return { kind: 'help', text: HELP };
  if (verb !== 'validate') throw new UsageError(`unknown command "config ${verb}"`);
  const { values, positionals } = parse({ args, options: CONFIG, allowPositionals: true });
  if (values.help) return { kind: 'help', text: COMMAND_HELP.config };
  if (positionals.length === 0) throw new UsageError('the config file is missing');
  const { fragment, json } = values;
  return { kind: 'validateConfig', files: positionals, isFragment: fragment, json };
}

function parseBuild(args: string[]): Command {
  const { values } = parse({ args, options: BUILD });
  if (values.help) return { kind: 'help', text: COMMAND_HELP.build };
  const platforms = [...new Set(values.platform.map(requirePlatform))];
  const relativeTo = values['relative-to'];
  return { kind: 'build', manifest: values.module, platforms, relativeTo, json: values.json };
}

function parseValidate(args: string[]): Command {
  const { values, positionals } = parse({ args, options: MODULE, allowPositionals: true });
  if (values.help) return { kind: 'help', text: COMMAND_HELP.validate };
  return { kind: 'validate', ...moduleOptions(values, positionals), json: values.json };
}

function parseUpload(args: string[]): Command {
  const { values, positionals } = parse({ args, options: UPLOAD, allowPositionals: true });
  if (values.help) return { kind: 'help', text: COMMAND_HELP.upload };
  const { version } = values;
  if (version === undefined || version === '') throw new UsageError('--version is missing');
  return {
    kind: 'upload',
    ...moduleOptions(values, positionals),
    version,
    platformTags: values.tag.map(requireTag),
    update: !values['no-update'],
    force: values.force,
    ...serviceOptions(values),
    json: values.json,
  };
}

function parseMcp(args: string[]): Command {
  const { values } = parse({ args, options: MCP });
  if (values.help) return { kind: 'help', text: COMMAND_HELP.mcp };
  const { 'allow-writes': allowWrites, workspace } = values;
  return { kind: 'mcp', allowWrites, workspace, ...serviceOptions(values) };
}

function serviceOptions(values: {
  readonly url?: string | undefined;
  readonly credentials?: string | undefined;
  readonly 'allow-plain-http': boolean;
  readonly ca: readonly string[];
}): ServiceOptions {
  return {
    url: values.url,
    credentialsFile: values.credentials,
    allowPlainHttp: values['allow-plain-http'],
    authorityFiles: values.ca,
  };
}

function moduleOptions(
  values: {
    readonly module: string;
    readonly build?: string | undefined;
    readonly platform?: string | undefined;
  },
  positionals: readonly string[],
): ModuleSource {
  const [path, ...surplus] = positionals;
  if (surplus.length > 0) throw new UsageError(`too many arguments: ${surplus.join(' ')}`);
  if (path !== undefined && values.build !== undefined) {
    throw new UsageError('the build is specified twice: with --build and without');
  }
  const build = path ?? values.build;
  if (build === '') throw new UsageError('--build must not be empty');
  const platform = values.platform === undefined ? undefined : requirePlatform(values.platform);
  return { manifest: values.module, build, isBuildNamed: build !== undefined, platform };
}

function requirePlatform(text: string): Platform {
  if (isPlatform(text)) return text;
  throw new UsageError(
    `--platform must be a system and an architecture such as linux/arm64, or any, not "${text}"`,
  );
}

function requireTag(text: string): string {
  if (isPlatformTag(text)) return text;
  throw new UsageError(`--tag must be a tag without spaces such as distro:debian, not "${text}"`);
}

function parse<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's message also contains advice about arguments that start with a dash, so only its first
    // sentence is used.
    const [sentence = ''] = (error as Error).message.split('. ', 1);
    throw new UsageError(sentence.charAt(0).toLowerCase() + sentence.slice(1), { cause: error });
  }
}

/** Output of `--help`. */
const HELP = `Usage: fleetwright module build [options]
       fleetwright module validate [BUILD] [options]
       fleetwright module upload [BUILD] --version VERSION [options]
       fleetwright config validate FILE... [options]
       fleetwright mcp [options]

Builds, validates, and publishes modules, and validates configs, as the editor does. Serves tools for agents
over the Model Context Protocol. Run a command with --help for its options.

  --help, --version

Results go to stdout, everything else to stderr. Exit codes: 0 success; 1 failure; 2 invalid arguments;
3 the manifest, build, or config failed validation. If a build command fails, its exit code is returned.
`;

const MODULE_HELP = `  BUILD, --build PATH    the build: a folder or a .tar.gz archive (default: build.path of the manifest,\n                         or the folder of the manifest)\n  --module FILE          the manifest of the module (default: meta.json)\n  --platform PLATFORM    platform of the build, such as linux/arm64, or any (default: detected from the\n                         header of its program)\n  --json                 print the result as a JSON object\n`;

const SERVICE_HELP = `  --url URL              URL of the service (default: FLEETWRIGHT_BASE_URL)\n  --credentials FILE     credentials file of a fleet service, instead of the following variables\n  --allow-plain-http     allow http:// URLs of other computers, which send the key unencrypted\n  --ca FILE              PEM file of a certificate authority to trust, for services with a certificate that is\n                         not signed by a public authority; repeatable\n`;

const COMMAND_HELP = {
  config: `Usage: fleetwright config validate FILE... [options]

Checks configs of machine parts without sending anything, and reports mistakes that a machine would reject
or ignore. Fragments aren't read, so names that could come from a fragment aren't reported. Validation fails
if there are errors or warnings, but not if there are only hints.

  FILE                   a JSON file with a config
  --fragment             the files contain the configs of fragments
  --json                 print the result as a JSON object
`,
  build: `Usage: fleetwright module build [options]

Runs the setup command once, then the build command for each platform, and checks that the expected
output exists. With several platforms, each build is saved next to build.path, under a name with its
platform. SVC_API_KEY and SVC_API_KEY_ID are removed from the environment of the commands.

  --module FILE          the manifest of the module (default: meta.json)
  --platform PLATFORM    target platform, such as linux/arm64; repeatable (default: this computer if the
                         manifest lists it, otherwise the first platform listed)
  --relative-to FOLDER   print file paths in compiler messages relative to this folder
  --json                 print the result as a JSON object, and the output of the commands on stderr
`,
  validate: `Usage: fleetwright module validate [BUILD] [options]

Checks a manifest and a build without sending anything, and reports what would prevent the build from
being uploaded or from starting.

${MODULE_HELP}`,
  upload: `Usage: fleetwright module upload [BUILD] --version VERSION [options]

Updates the module's metadata in the registry from the manifest, without changing its visibility, and
uploads the build. The module must be registered, and the version must not have an archive for the
platform yet.

  --version VERSION      semantic, such as 1.2.3 or 1.3.0-rc.1
${MODULE_HELP}  --tag TAG              another requirement that a machine must meet; repeatable
  --no-update            don't update the module's metadata in the registry
  --force                upload a build that fails a check, or whose build.path is outside the folder
                         of the manifest

Registry and credentials
${SERVICE_HELP}  SVC_API_KEY_ID         ID of an API key that can change the registry of the organization
  SVC_API_KEY            the key itself
`,
  mcp: `Usage: fleetwright mcp [options]

Serves tools for agents over stdin and stdout with the Model Context Protocol, until stdin is closed. All
tools only read unless changes are allowed. Tools that the API key can't use are not listed.

  --allow-writes         also serve tools that change something. Each change needs the consent of a person,
                         for which the client must support elicitation
  --workspace DIR        also serve tools that use the files in this folder: exports of query results to new
                         files, with values that answers redact, and with --allow-writes uploads of modules
${SERVICE_HELP}  SVC_API_KEY_ID         ID of the API key
  SVC_API_KEY            the key itself
`,
} as const;
