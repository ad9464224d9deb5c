/** Output of `--help`. */
export const HELP = `Usage: fleetwright module build [options]
       fleetwright module validate [BUILD] [options]
       fleetwright module upload [BUILD] --version VERSION [options]

Builds, validates, and publishes modules, as the editor does. Run a command with --help for its options.

  --help, --version

Results go to stdout, everything else to stderr. Exit codes: 0 success; 1 failure; 2 invalid arguments;
3 the manifest or build failed validation. If a build command fails, its exit code is returned.
`;

const MODULE_HELP = `  BUILD, --build PATH    the build: a folder or a .tar.gz archive (default: build.path of the manifest,\n                         or the folder of the manifest)\n  --module FILE          the manifest of the module (default: meta.json)\n  --platform PLATFORM    platform of the build, such as linux/arm64, or any (default: detected from the\n                         header of its program)\n  --json                 print the result as a JSON object\n`;

export const COMMAND_HELP = {
  build: `Usage: fleetwright module build [options]

Runs the setup command once, then the build command for each platform, and checks that the expected
output exists. With several platforms, each build is saved next to build.path, under a name with its
platform. SVC_API_KEY and SVC_API_KEY_ID are removed from the environment of the commands.

  --module FILE          the manifest of the module (default: meta.json)
  --platform PLATFORM    target platform, such as linux/arm64; repeatable (default: this computer if the
                         manifest lists it, otherwise the first platform listed)
  --relative-to FOLDER   print file paths in compiler messages relative to this folder
  --json                 print the result as a JSON object
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
  --url URL              URL of the service (default: FLEETWRIGHT_BASE_URL)
  --credentials FILE     credentials file of a fleet service, instead of the following variables
  --allow-plain-http     allow http:// URLs of other computers, which send the key unencrypted
  SVC_API_KEY_ID         ID of an API key that can change the registry of the organization
  SVC_API_KEY            the key itself
`,
} as const;
