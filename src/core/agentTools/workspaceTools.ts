import { createHash } from 'node:crypto';
import { englishLocalizer } from '../../base/localizer';
import { FleetError } from '../api/errors';
import { formatOwner, MAX_NAME_LENGTH, quoteName, quoteText } from '../confirmations/confirmation';
import { registryItemId } from '../model/ids';
import { shortList } from '../model/displayText';
import type { RegistryItem } from '../model/registryItem';
import type { RegistryItemTarget } from '../model/resourceTarget';
import { formatManifestDiagnostic } from '../modules/manifest/formatManifestDiagnostic';
import { type Platform, PLATFORMS } from '../modules/platforms';
import { formatVersionProblem, versionProblem } from '../modules/upload/versionProblem';
import { type AgentTool, exportTool, type ToolContext, writeTool } from './agentTool';
import { LimitedFile, limitSpools } from './limitedFile';
import { ORGANIZATION, requireOrganization } from './toolParameters';
import { choice, id, integer, object, optional, text } from './toolSchema';
import { isSecretFile, requireWorkspace, type WorkspaceModule } from './toolWorkspace';

const MAX_PATH_LENGTH = 1_000;
/** Maximum duration of an upload or an export in milliseconds. */
const TRANSFER_TIMEOUT_MS = 10 * 60_000;
/** Maximum numbers of files in a question. */
const MAX_FILES = 10;
/** Maximum size of an exported file in bytes, so that a loop of an agent can't fill the disk quickly. */
const MAX_EXPORT_BYTES = 1024 ** 3;

const uploadModule = writeTool({
  name: 'fleetwright_upload_module',
  title: 'Upload Module Version',
  description:
    'Uploads a build in the workspace as a new version of a registered module, and updates the module in the registry from its meta.json. A person must confirm it first. The confirmation shows the names and the size of the files.',
  permission: 'write_packages',
  right: 'administer',
  usesWorkspace: true,
  timeoutMs: TRANSFER_TIMEOUT_MS,
  input: object({
    moduleId: id('ID of the module, such as acme:lidar. It must be the module_id in meta.json.'),
    moduleVersion: id('New semantic version, such as 1.2.3.', MAX_NAME_LENGTH),
    folder: text('Folder in the workspace that contains meta.json.', MAX_PATH_LENGTH),
    build: optional(
      text(
        'Folder or .tar.gz archive in the workspace; build.path of meta.json by default.',
        MAX_PATH_LENGTH,
      ),
    ),
    platform: optional(choice(PLATFORMS, 'Platform of the build; detected by default.')),
  }),
  output: object({
    moduleId: id(),
    moduleVersion: id(),
    platform: choice(PLATFORMS),
    files: integer('Number of files.'),
    bytes: integer('Number of sent bytes.'),
  }),
  plan: async ({ moduleId, moduleVersion: version, ...source }, context) => {
    const { stores, signal, connectionId } = context;
    const { folder, build } = source;
    const workspace = requireWorkspace(context.workspace);
    const module = await workspace.inspectModule(
      { folder, build, platform: source.platform },
      signal,
    );
    const platform = checkModule(module, moduleId);
    const item = await stores.registry.get(registryItemId(moduleId), { fresh: true, signal });
    const target: RegistryItemTarget = {
      kind: 'registryItem',
      connectionId,
      organizationId: item.organizationId,
      itemId: item.id,
      itemType: item.type,
      name: item.name,
    };
    const upload = { version, platform, warning: checkVersion(item, version, platform) };
    return {
      targets: [target],
      confirmation: await confirmUpload(item, module, upload, context),
      apply: async ({ signal: inTime }) => {
        const { uploadPrepared } = await import('../modules/upload/uploadPrepared');
        const { reader, readSibling } = module;
        const { bytes } = await uploadPrepared(
          { ...module, platform, version, platformTags: [], update: true, known: item.versions },
          {
            registry: stores.registry,
            reader,
            readSibling,
            say: () => undefined,
            signal: inTime,
          },
        );
        const files = module.files.length;
        return { data: { moduleId: item.id, moduleVersion: version, platform, files, bytes } };
      },
    };
  },
});

/**
 * Checks a module as the command does before an upload.
 * @returns its platform
 * @throws FleetError `invalid`
 */
function checkModule(module: WorkspaceModule, moduleId: string): Platform {
  const { manifest, platform, diagnostics } = module;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const sentences = errors.map((diagnostic) =>
      formatManifestDiagnostic(diagnostic, englishLocalizer),
    );
    throw new FleetError('invalid', `The build can't be uploaded: ${sentences.join(' ')}`);
  }
  if (manifest.moduleId !== moduleId) {
    throw new FleetError('invalid', 'The module_id in meta.json is the ID of another module.');
  }
  if (platform) return platform;
  throw new FleetError('invalid', "The platform of the build can't be detected. Specify platform.");
}

/** @returns a warning. @throws FleetError `invalid` if the version can't be uploaded */
function checkVersion(
  { versions }: RegistryItem,
  version: string,
  platform: Platform,
): ReturnType<typeof versionProblem> {
  const problem = versionProblem(version, versions, [platform]);
  if (!problem || problem.kind === 'older') return problem;
  throw new FleetError('invalid', formatVersionProblem(problem, englishLocalizer));
}

async function confirmUpload(
  item: RegistryItem,
  { manifest, facts, files, descriptions, buildName }: WorkspaceModule,
  {
    version,
    platform,
    warning,
  }: {
    readonly version: string;
    readonly platform: Platform;
    readonly warning: ReturnType<typeof versionProblem>;
  },
  { stores }: ToolContext,
) {
  const { l10n } = stores;
  const { name } = await stores.organizations.get(item.organizationId);
  const published = descriptions.map(({ path }) => path);
  const paths = new Set([...published, ...files.map(({ path }) => path)]);
  const secrets = [...paths].filter(isSecretFile);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const listed = shortList(
    files.map(({ path, size }) => `- ${quoteName(path)} (${String(size)} B)`),
    MAX_FILES,
  );
  const more = listed.more > 0 ? [`- ${l10n.t('{0} more', String(listed.more))}`] : [];
  const formatPaths = (names: readonly string[]): string => {
    const { shown, more: others } = shortList(names.map(quoteName), MAX_FILES);
    const rest = others > 0 ? [l10n.t('{0} more', String(others))] : [];
    return [...shown, ...rest].join(', ');
  };
  return {
    question: l10n.t(
      'Upload {0}, version {1}, for {2}?',
      quoteName(item.id),
      quoteName(version),
      platform,
    ),
    detail: [
      ...(secrets.length > 0
        ? [l10n.t('These files look like secrets: {0}', formatPaths(secrets))]
        : []),
      ...(warning ? [formatVersionProblem(warning, l10n)] : []),
      formatOwner({ name, id: item.organizationId }, l10n),
      l10n.t('The module in the registry is also updated from meta.json.'),
      ...(published.length > 0
        ? [l10n.t('Published descriptions: {0}', formatPaths(published))]
        : []),
      l10n.t('Path of the build: {0}', quoteText(buildName)),
      l10n.t(
        'Files: {0}, bytes: {1}, fingerprint: {2}',
        String(files.length),
        String(bytes),
        formatFingerprint([facts.fingerprint, manifest, descriptions]),
      ),
      ...listed.shown,
      ...more,
    ].join('\n'),
    action: l10n.t('Upload'),
  };
}

/** Returns a short digest of everything that an upload sends. Other contents need another answer. */
function formatFingerprint(contents: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(contents)).digest('hex').slice(0, 12);
}

const FORMATS = ['csv', 'ndjson', 'parquet'] as const;

const exportQuery = exportTool({
  name: 'fleetwright_export_query',
  title: 'Export Query Result',
  description:
    "Runs an SQL or MQL query for the readings of an organization, and writes all rows to a new file in the workspace. The file has at most 1 GiB, and its values aren't redacted. Use it for results that are too large for an answer. Existing files are never replaced.",
  permission: 'read_robot_data_management',
  usesWorkspace: true,
  timeoutMs: TRANSFER_TIMEOUT_MS,
  input: object({
    language: choice(['sql', 'mql'], 'Language of the query.'),
    query: text('SELECT statement for the table readings, or a JSON list of stages.', 50_000),
    format: choice(FORMATS, 'Format of the file.'),
    path: text('Path of the new file in the workspace, with the extension.', MAX_PATH_LENGTH),
    organizationId: ORGANIZATION,
  }),
  output: object({
    path: text('Path of the file from the workspace folder.'),
    rows: integer('Number of rows.'),
    bytes: integer('Size of the file in bytes.'),
  }),
  confirm: ({ path }, { stores: { l10n }, workspace }) => {
    requireWorkspace(workspace);
    return {
      question: l10n.t(
        'Write the rows of a query to the new file {0} in the workspace?',
        quoteText(path),
      ),
      detail: l10n.t("The values in the file aren't redacted, and agents can read them."),
      action: l10n.t('Write File'),
    };
  },
  run: async ({ language, query, format, path, organizationId }, context) => {
    const { stores, signal, reportProgress } = context;
    const workspace = requireWorkspace(context.workspace);
    const organization = await requireOrganization(context, organizationId);
    const { exportResult } = await import('../query/export/exportResult');
    const file = await workspace.createFile(path, format);
    try {
      const limited = new LimitedFile(file, MAX_EXPORT_BYTES);
      const rows = await exportResult(
        {
          query: { organizationId: organization, language, text: query, recent: false },
          source: stores.queries,
        },
        {
          format,
          file: limited,
          spools: limitSpools(file.spools, MAX_EXPORT_BYTES),
          signal,
          onProgress: reportProgress,
        },
      );
      signal.throwIfAborted();
      await file.finish();
      return { data: { path: file.name, rows, bytes: limited.bytes } };
    } catch (error) {
      await file.discard();
      throw error;
    }
  },
});

export const workspaceTools: readonly AgentTool[] = [exportQuery, uploadModule];
