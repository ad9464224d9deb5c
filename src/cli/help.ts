/** What `--help` prints. */
export const HELP = `Usage: fleetwright module build [options]
       fleetwright module validate [BUILD] [options]
       fleetwright module upload [BUILD] --version VERSION [options]

Builds modules, checks and publishes what was built, as the editor does. Each command has a --help of its own.

  --help, --version

Results go to stdout, everything else to stderr. Exit codes: 0 done, 1 failed, 2 the command line is
wrong, 3 the manifest or the build is not fit to be uploaded. A build that fails ends with the exit code
of the command that failed.
`;

const MODULE_HELP = `  BUILD, --build PATH    the build, a folder or a .tar.gz archive (default: build.path of the manifest,
                         or the folder of the manifest)
  --module FILE          the manifest of the module (default: meta.json)
  --platform PLATFORM    what the build runs on, such as linux/arm64, or any for whichever (default: as
                         the header of its program says)
  --json                 print one object of JSON instead of sentences
`;

export const COMMAND_HELP = {
  build: `Usage: fleetwright module build [options]

Runs the setup of the manifest once and its build for each platform, in a shell, and looks whether what
the build is to make is there. Builds for several platforms are kept beside build.path, each under a name
with its platform. The commands do not find SVC_API_KEY and SVC_API_KEY_ID in their environment.

  --module FILE          the manifest of the module (default: meta.json)
  --platform PLATFORM    what to build for, such as linux/arm64; repeatable (default: this machine where
                         the manifest names it, or the first that it names)
  --relative-to FOLDER   print paths of files, where compilers name some, relative to this folder
  --json                 print one object of JSON at the end
`,
  validate: `Usage: fleetwright module validate [BUILD] [options]

Looks through a manifest and a build without sending anything: what keeps the build from being
uploaded, and what would keep it from starting.

${MODULE_HELP}`,
  upload: `Usage: fleetwright module upload [BUILD] --version VERSION [options]

Says in the registry what the manifest says, keeping the visibility that the module has, and uploads
the build. The module has to be registered, and the version must not have an archive for the platform.

  --version VERSION      semantic, such as 1.2.3 or 1.3.0-rc.1
${MODULE_HELP}  --tag TAG              something else that a machine has to have; repeatable
  --no-update            leave what the registry says of the module as it is
  --force                upload a build that does not look right, or that build.path of the manifest has
                         outside of its folder

Where the registry is, and who asks
  --url URL              address of the service (default: FLEETWRIGHT_BASE_URL)
  --credentials FILE     credentials file of a fleet service, instead of what follows
  --allow-plain-http     send the key unencrypted to another machine, where the address begins with http
  SVC_API_KEY_ID         id of an API key that may change the registry of the organization
  SVC_API_KEY            the key itself
`,
} as const;
