/**
 * The import table of ARCHITECTURE.md as rules. An arrow that is not in the table is an error.
 *
 * @param {string} name
 * @param {string} folder a path prefix, as a regular expression
 * @param {string[]} allowedImports path prefixes of ours and package paths, as regular expressions
 * @param {string} comment
 */
function layer(name, folder, allowedImports, comment) {
  return {
    name,
    comment,
    severity: 'error',
    from: { path: folder },
    to: { pathNot: [folder, ...allowedImports], dependencyTypesNot: ['core', 'unknown'] },
  };
}

const packages = (...names) => names.map((name) => `node_modules/${name}/`);
const base = '^src/base/';
const gen = '^src/gen/';
const manifest = '^src/manifest/';
const core = '^src/core/';
const shared = '^src/shared/';
const queryProcess = '^src/service/query/process/';

const connect = packages('@connectrpc/connect', '@bufbuild/protobuf');
const connectNode = packages('@connectrpc/connect-node');
const queryEngines = packages('@duckdb/node-api', 'mingo');
const trainingProcess = '^src/service/training/process/';
const objectStores = packages(
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@aws-sdk/s3-request-presigner',
);
const s3Bucket = '^src/service/objects/s3Bucket\\.ts$';
const natsClient = packages('@nats-io/transport-node');
const natsNotices = '^src/service/logs/natsNotices\\.ts$';
const trainers = packages('@tensorflow/[^/]+');

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'A cycle makes load order matter and hides which side owns a thing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An import that resolves to nothing breaks the bundle.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-packages',
      comment: 'A package that package.json does not name can vanish with any update.',
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        pathNot: '^vscode$|@types/vscode',
      },
    },
    layer('base-alone', base, [], 'base imports nothing of ours and no package.'),
    {
      name: 'manifest-types-only',
      comment: 'manifest holds ids; the rest of the product reaches it as types alone.',
      severity: 'error',
      from: { path: manifest },
      to: { pathNot: manifest, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'manifest-table-not-loaded',
      comment:
        'The table of commands and menus is for package.json. The extension needs its types.',
      severity: 'error',
      from: { path: '^src/', pathNot: manifest },
      to: {
        path: `${manifest}(commands|commandSpec|conditions|menuGroups|menus|whenClauses)\\.ts$`,
        dependencyTypesNot: ['type-only'],
      },
    },
    layer(
      'gen-protobuf-only',
      gen,
      packages('@bufbuild/protobuf', '@bufbuild/protovalidate'),
      'Generated code needs the protobuf runtime only.',
    ),
    layer(
      'core-table',
      '^src/core/',
      [
        base,
        gen,
        ...connect,
        ...connectNode,
        ...packages(
          '@bufbuild/protovalidate',
          'bson',
          'cronstrue',
          'csv-parse',
          'fflate',
          'hyparquet-writer',
          'jsonc-parser',
          'node-diff3',
          'sanitize-filename',
        ),
        // The keys of configs are described once, for the editor and for our own checks.
        '^media/schemas/',
      ],
      'core is the product without VS Code, without the service and without a browser.',
    ),
    {
      name: 'connect-node-in-api',
      comment: 'Transports are made in one place; stores and documents see typed clients.',
      severity: 'error',
      from: { path: core, pathNot: '^src/core/api/' },
      to: { path: connectNode },
    },
    {
      name: 'rules-in-validation',
      comment: 'One place words the broken rules of a request, for the service and for prompts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/validation/' },
      to: { path: packages('@bufbuild/protovalidate') },
    },
    {
      name: 'core-runs-anywhere',
      comment: 'What core needs from outside comes through its ports; its transports need sockets.',
      severity: 'error',
      from: { path: core, pathNot: '^src/core/api/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer|util)$' },
    },
    {
      name: 'core-ground',
      comment: 'What the service shares with the extension stands on nothing else of core.',
      severity: 'error',
      from: { path: '^src/core/(model|fragments|validation)/' },
      to: { path: core, pathNot: '^src/core/(model|fragments|validation)/' },
    },
    {
      name: 'stores-below-documents',
      comment: 'Documents read from stores, and work on many from both; sessions are their owners.',
      severity: 'error',
      from: { path: '^src/core/stores/' },
      to: { path: '^src/core/(documents|bulk|sessions)/' },
    },
    {
      name: 'bulk-on-top',
      comment: 'What concerns many at once is made of what concerns one.',
      severity: 'error',
      from: { path: core, pathNot: '^src/core/(bulk|data)/' },
      to: { path: '^src/core/bulk/' },
    },
    layer(
      'simulate-client-only',
      '^src/simulate/',
      [base, gen, ...connect, ...packages('jpeg-js', 'pngjs', '@types/pngjs')],
      'What stands in for machines talks to the service as machines do, over the wire contract.',
    ),
    layer(
      'archives-table',
      '^src/archives/',
      [base, '^src/core/(model|modules)/', '^src/core/api/errors', ...packages('tar')],
      'Archives and folders of this machine, for anyone who uploads them: the editor, the command line.',
    ),
    layer(
      'files-table',
      '^src/files/',
      [
        base,
        '^src/core/(agentTools|data/export|model|modules|query/results)/',
        '^src/core/api/errors',
        '^src/(archives|processes)/',
      ],
      'Files on this computer that the editor and the command line write, and the workspace of agents.',
    ),
    layer(
      'processes-alone',
      '^src/processes/',
      [base],
      'Starting a program of ours with the running Node, for the service and the editor.',
    ),
    layer(
      'cli-table',
      '^src/cli/',
      [
        base,
        core,
        '^src/(archives|builds|files)/',
        '^package\\.json$',
        ...packages('@modelcontextprotocol/server'),
      ],
      'The command line does what the editor does, with the same core and without VS Code.',
    ),
    {
      name: 'mcp-on-demand',
      comment: 'Only the command for agents loads the protocol, through a dynamic import.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/mcp/' },
      to: { path: packages('@modelcontextprotocol/server') },
    },
    layer(
      'builds-table',
      '^src/builds/',
      [base, '^src/core/(model|modules)/'],
      'Running the commands that build modules is for processes of their own, never for the editor itself.',
    ),
    layer(
      'module-run-table',
      '^src/moduleRun/',
      [
        base,
        gen,
        '^src/builds/',
        '^src/core/modules/',
        '^package\\.json$',
        ...connect,
        ...connectNode,
      ],
      'Running a module is for a process of its own, which ends with everything that the module starts.',
    ),
    layer(
      'service-table',
      '^src/service/',
      [
        base,
        gen,
        '^src/core/(fragments|model|validation)/',
        '^src/(archives|processes)/',
        '^src/simulate/',
        '^package\\.json$',
        ...connect,
        ...connectNode,
        ...packages(
          'kysely',
          'pg',
          '@types/pg',
          'jsonc-parser',
          'nodemailer',
          'prom-client',
          'bson',
        ),
        ...queryEngines,
        ...trainers,
        ...packages('jpeg-js', 'pngjs', '@types/pngjs'),
        ...objectStores,
        ...natsClient,
      ],
      'The service and the extension share the wire contract, core/model, core/validation and core/fragments.',
    ),
    {
      name: 'service-store-lowest',
      comment: 'Queries know tables, not who calls or how it is answered.',
      severity: 'error',
      from: { path: '^src/service/store/' },
      to: { path: '^src/service/', pathNot: '^src/service/(store/|errors)' },
    },
    {
      name: 'service-handlers-on-top',
      comment: 'Who may call is decided before a handler, and messages are made for it.',
      severity: 'error',
      from: {
        path: '^src/service/(auth|blobs|config|lake|logs|mail|messages|mongo|objects|query|server|store)/',
      },
      to: { path: '^src/service/(handlers|accounts|demo)/' },
    },
    {
      name: 'queries-in-their-processes',
      comment: 'What users ask for runs where it can be killed, never in the service itself.',
      severity: 'error',
      from: { path: '^src/', pathNot: queryProcess },
      to: { path: [...queryEngines, queryProcess], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'object-stores-on-demand',
      comment: 'Only services with a bucket load the SDK, through a dynamic import of this module.',
      severity: 'error',
      from: { path: '^src/', pathNot: s3Bucket },
      to: { path: objectStores },
    },
    {
      name: 's3-bucket-on-demand',
      comment: 'A static import would load the SDK in every service.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: s3Bucket, dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'nats-on-demand',
      comment: 'Only services with NATS load its client, through a dynamic import of this module.',
      severity: 'error',
      from: { path: '^src/', pathNot: natsNotices },
      to: { path: natsClient },
    },
    {
      name: 'nats-notices-on-demand',
      comment: 'A static import would load the client in every service.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: natsNotices, dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    {
      name: 'queries-below-the-lake',
      comment: 'The lake has jobs run; where readings come from is told to queries from outside.',
      severity: 'error',
      from: { path: '^src/service/query/' },
      to: { path: '^src/service/', pathNot: '^src/service/(query/|processes/|errors)' },
    },
    {
      name: 'query-process-alone',
      comment: 'A query process knows its job and its files; of the service, how they talk.',
      severity: 'error',
      from: { path: queryProcess },
      to: { path: '^src/service/', pathNot: '^src/service/(query|processes)/' },
    },
    {
      name: 'training-in-its-process',
      comment:
        'What reads the images of strangers and computes for minutes runs where it can be killed.',
      severity: 'error',
      from: { path: '^src/', pathNot: trainingProcess },
      to: { path: [...trainers, trainingProcess], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'training-process-alone',
      comment: 'A training process knows its job and its files; of the service, how they talk.',
      severity: 'error',
      from: { path: trainingProcess },
      to: {
        path: '^src/service/',
        pathNot: '^src/service/(training/(process|managed)/|processes/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    layer('shared-types', shared, [base], 'Webview contracts are types and message definitions.'),
    {
      name: 'host-table',
      comment:
        'The service, builds, local runs of modules and the command line run as processes of their own; the extension never links them.',
      severity: 'error',
      from: { path: '^src/(host/|extension\\.ts)' },
      to: {
        path: ['^src/service/', '^src/(builds|cli|moduleRun)/', '^webview/', '^test/', '^scripts/'],
      },
    },
    {
      name: 'extension-composes-host',
      comment: 'Nothing imports the composition root.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/extension\\.ts$' },
      to: { path: '^src/extension\\.ts$' },
    },
    layer('loader-alone', '^src/loader/', [], 'Code that the loader imports is never cached.'),
    {
      name: 'features-apart',
      comment: 'Features meet through stores, commands or an interface in host/platform.',
      severity: 'error',
      from: { path: '^src/host/features/([^/]+)/' },
      to: { path: '^src/host/features/', pathNot: '^src/host/features/$1/' },
    },
    {
      name: 'platform-below-features',
      comment: 'Platform code serves features; it knows none of them.',
      severity: 'error',
      from: { path: '^src/host/platform/' },
      to: { path: '^src/host/features/' },
    },
    {
      name: 'vscode-in-host',
      comment: 'core and service run without VS Code.',
      severity: 'error',
      from: {
        path: '^(src|webview|scripts|bench)/',
        pathNot:
          '^(src/(host/|extension\\.ts)|bench/support/(activationProbe|hostEditors|leakProbe|restProbe|soakEditor)\\.ts)',
      },
      to: { path: '^vscode$|node_modules/@types/vscode/' },
    },
    {
      name: 'webview-table',
      comment: 'A webview knows its message contracts, the base types, and browser libraries.',
      severity: 'error',
      from: { path: '^webview/' },
      to: { path: '^(src|test|scripts)/', pathNot: [shared, '^src/base/'] },
    },
    {
      name: 'webview-without-node',
      comment: 'There is no Node in a webview.',
      severity: 'error',
      from: { path: '^webview/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'toolkit-behind-ui',
      comment: 'The component set has no makers any more: replacing it touches webview/ui alone.',
      severity: 'error',
      from: { pathNot: '^webview/ui/' },
      to: { path: packages('@vscode/webview-ui-toolkit') },
    },
    {
      name: 'markup-in-one-place',
      comment: 'What strangers write becomes nodes in one place, which takes the harm out of it.',
      severity: 'error',
      from: { path: '^(src|webview)/', pathNot: '^webview/registryItem/markdown/' },
      to: { path: packages('marked', 'dompurify') },
    },
    {
      name: 'product-apart-from-tests',
      comment: 'What ships does not depend on what does not.',
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: { path: '^(test|scripts|bench)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^test/e2e/host/', '^test/publicClient/node_modules/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
