/**
 * The import table of ARCHITECTURE.md as rules. An import that is not in the table is an error.
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
      comment: 'Import cycles make the load order significant.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'resolvable',
      comment: 'An unresolved import breaks the bundle.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-packages',
      comment: "A package that package.json doesn't declare can disappear with any update.",
      severity: 'error',
      from: { path: '^(src|webview)/' },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'npm-dev'],
        pathNot: '^vscode$|@types/vscode',
      },
    },
    layer('base-alone', base, [], 'base imports no other code of the product and no packages.'),
    {
      name: 'manifest-types-only',
      comment: 'The manifest contains IDs and imports only types from the rest of the product.',
      severity: 'error',
      from: { path: manifest },
      to: { pathNot: manifest, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'manifest-table-not-loaded',
      comment:
        'The command and menu tables generate package.json, so the extension imports only their types.',
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
      'Generated code imports only the protobuf runtime.',
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
        // One description of the keys of configs serves the editor and our own checks.
        '^media/schemas/',
      ],
      'core runs without VS Code, the service, and a browser.',
    ),
    {
      name: 'connect-node-in-api',
      comment: 'Only core/api creates transports.',
      severity: 'error',
      from: { path: core, pathNot: '^src/core/api/' },
      to: { path: connectNode },
    },
    {
      name: 'rules-in-validation',
      comment:
        'Only core/validation words violations of request rules, for the service and for prompts.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/core/validation/' },
      to: { path: packages('@bufbuild/protovalidate') },
    },
    {
      name: 'core-runs-anywhere',
      comment:
        'core uses its ports instead of Node modules, except for transports, which need sockets.',
      severity: 'error',
      from: { path: core, pathNot: '^src/core/api/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|buffer|util)$' },
    },
    {
      name: 'core-shared-with-service',
      comment: 'Parts of core that the service shares import no other parts of core.',
      severity: 'error',
      from: { path: '^src/core/(model|fragments|validation)/' },
      to: { path: core, pathNot: '^src/core/(model|fragments|validation)/' },
    },
    {
      name: 'stores-below-documents',
      comment: "Stores don't import documents, bulk, data, or sessions, which build on them.",
      severity: 'error',
      from: { path: '^src/core/stores/' },
      to: { path: '^src/core/(documents|bulk|data|sessions)/' },
    },
    {
      name: 'bulk-on-top',
      comment: 'Bulk operations build on operations on single resources, not the reverse.',
      severity: 'error',
      from: { path: core, pathNot: '^src/core/(bulk|data)/' },
      to: { path: '^src/core/bulk/' },
    },
    layer(
      'simulate-client-only',
      '^src/simulate/',
      [base, gen, ...connect, ...packages('jpeg-js', 'pngjs', '@types/pngjs')],
      'Simulated machines use only the wire contract, like real ones.',
    ),
    layer(
      'archives-table',
      '^src/archives/',
      [base, '^src/core/(model|modules)/', '^src/core/api/errors', ...packages('tar')],
      'The editor and the command line share the code for archives and folders on this computer.',
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
      'The editor and the command line share the code that writes files on this computer and the workspace of agents.',
    ),
    layer(
      'processes-alone',
      '^src/processes/',
      [base],
      'The service and the editor share the code that starts our programs with the running Node.',
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
      'The command line uses the same core as the editor, without VS Code.',
    ),
    {
      name: 'mcp-on-demand',
      comment: 'Only the command for agents loads the MCP library, through a dynamic import.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/mcp/' },
      to: { path: packages('@modelcontextprotocol/server') },
    },
    layer(
      'builds-table',
      '^src/builds/',
      [base, '^src/core/(model|modules)/'],
      'Build commands run only in separate processes, never in the editor.',
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
      'A module runs in a separate process, which ends with everything that the module starts.',
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
      'The service shares only the wire contract, core/model, core/validation, and core/fragments with the extension.',
    ),
    {
      name: 'service-store-lowest',
      comment: "The store doesn't import the code that handles or authorizes calls.",
      severity: 'error',
      from: { path: '^src/service/store/' },
      to: { path: '^src/service/', pathNot: '^src/service/(store/|errors)' },
    },
    {
      name: 'service-files-lowest',
      comment: 'All parts of the service use these files, so they import nothing else of it.',
      severity: 'error',
      from: { path: '^src/service/files/' },
      to: { path: '^src/service/', pathNot: '^src/service/files/' },
    },
    {
      name: 'service-process-on-top',
      comment: 'Only main.ts starts commands, and only a restore locks a data directory itself.',
      severity: 'error',
      from: {
        path: '^src/service/',
        pathNot: '^src/service/(process/|main\\.ts$|backup/restoreFleet\\.ts$)',
      },
      to: { path: '^src/service/process/' },
    },
    {
      name: 'service-handlers-on-top',
      comment: "Code that handlers use doesn't import handlers.",
      severity: 'error',
      from: {
        path: '^src/service/(auth|blobs|config|lake|logs|mail|messages|mongo|objects|query|server|store)/',
      },
      to: { path: '^src/service/(handlers|accounts|demo)/' },
    },
    {
      name: 'queries-in-their-processes',
      comment: 'Queries run only in query processes, which can be killed.',
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
      comment:
        'The lake uses the query code, which receives the sources of readings as parameters.',
      severity: 'error',
      from: { path: '^src/service/query/' },
      to: { path: '^src/service/', pathNot: '^src/service/(query/|processes/|errors)' },
    },
    {
      name: 'query-process-alone',
      comment:
        'A query process imports only query code and the code for communication between processes.',
      severity: 'error',
      from: { path: queryProcess },
      to: { path: '^src/service/', pathNot: '^src/service/(query|processes)/' },
    },
    {
      name: 'training-in-its-process',
      comment:
        'Training reads untrusted images and computes for minutes, so it runs in processes that can be killed.',
      severity: 'error',
      from: { path: '^src/', pathNot: trainingProcess },
      to: { path: [...trainers, trainingProcess], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'training-process-alone',
      comment:
        'A training process imports only training code and the code for communication between processes.',
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
        'The service, builds, local module runs, and the command line run in separate processes, so the extension imports none of them.',
      severity: 'error',
      from: { path: '^src/(host/|extension\\.ts)' },
      to: {
        path: ['^src/service/', '^src/(builds|cli|moduleRun)/', '^webview/', '^test/', '^scripts/'],
      },
    },
    {
      name: 'extension-composes-host',
      comment: 'No other file imports the composition root.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/extension\\.ts$' },
      to: { path: '^src/extension\\.ts$' },
    },
    layer('loader-alone', '^src/loader/', [], 'Code that the loader imports is never cached.'),
    {
      name: 'features-apart',
      comment:
        'Features use each other only through stores, commands, or interfaces in host/platform.',
      severity: 'error',
      from: { path: '^src/host/features/([^/]+)/' },
      to: { path: '^src/host/features/', pathNot: '^src/host/features/$1/' },
    },
    {
      name: 'platform-below-features',
      comment: "Platform code doesn't import features.",
      severity: 'error',
      from: { path: '^src/host/platform/' },
      to: { path: '^src/host/features/' },
    },
    {
      name: 'vscode-in-host',
      comment: 'core and the service run without VS Code.',
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
      comment: 'Webviews import only their message contracts, base, and browser libraries.',
      severity: 'error',
      from: { path: '^webview/' },
      to: { path: '^(src|test|scripts)/', pathNot: [shared, '^src/base/'] },
    },
    {
      name: 'webview-without-node',
      comment: "Webviews don't have Node.",
      severity: 'error',
      from: { path: '^webview/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'toolkit-behind-ui',
      comment:
        'The component set is no longer maintained: only webview/ui imports it, so that it can be replaced there.',
      severity: 'error',
      from: { pathNot: '^webview/ui/' },
      to: { path: packages('@vscode/webview-ui-toolkit') },
    },
    {
      name: 'markup-in-one-place',
      comment:
        'Only registryItem/markdown converts untrusted text to elements, because it sanitizes the text.',
      severity: 'error',
      from: { path: '^(src|webview)/', pathNot: '^webview/registryItem/markdown/' },
      to: { path: packages('marked', 'dompurify') },
    },
    {
      name: 'product-apart-from-tests',
      comment: "Product code doesn't import tests, scripts, or benchmarks.",
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
