import { basename } from 'node:path';
import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/displayText';
import type { RegistryVersion } from '../../../../core/model/registryItem';
import type { PreparedBuild } from '../../../../core/modules/upload/preparedBuild';
import {
  findNewestVersion,
  formatVersionProblem,
  versionProblem,
} from '../../../../core/modules/upload/versionProblem';
import {
  escapeIcons,
  formatBytes,
  formatDateTime,
  formatList,
  toQuickPickText,
} from '../../../platform/text/displayText';
import { confirm, pickOne } from '../../../platform/prompts/prompts';
import { formatPlatform, formatVisibility } from '../../../platform/text/registryText';
import { type MenuItem, showSettingsMenu } from '../../../platform/prompts/showSettingsMenu';
import {
  getBuildSize,
  listPlatforms,
  pickPlatform,
  promptForVersion,
  type UploadSettings,
} from './uploadSettings';
import type { UploadSubject } from './uploadTools';
import { inspectBuilds, pickBuild } from './findBuilds';

/**
 * Shows the upload settings, which the user can change, until they are valid and the user confirms
 * them. Prompts for confirmation of unusual settings. Throws `canceled`.
 */
export async function configureUpload(
  subject: UploadSubject,
  initial: UploadSettings,
): Promise<UploadSettings> {
  const title = vscode.l10n.t('Upload Module Version');
  const placeholder = vscode.l10n.t('Press Enter to upload, or select a setting to change');
  const settings = await showSettingsMenu(initial, title, placeholder, (now) => [
    beginItem(subject, now),
    versionItem(subject, now),
    ...now.builds.map((build) => buildItem(subject, now, build)),
    addItem(subject, now),
    ...joinItem(subject, now),
  ]);
  for (const build of settings.builds) await confirmMismatch(build);
  return settings;
}

/** Formats an upload, such as `Upload 1.0.1 of acme:weather for linux/amd64 (12 MB)`. */
export function formatUpload({ item }: UploadSubject, settings: UploadSettings): string {
  return vscode.l10n.t(
    'Upload {0} of {1} for {2} ({3})',
    settings.version,
    toQuickPickText(item.id),
    formatList(settings.builds.map(({ platform }) => formatPlatform(platform ?? 'any'))),
    formatBytes(settings.builds.reduce((sum, build) => sum + getBuildSize(build), 0)),
  );
}

type Item = MenuItem<UploadSettings>;

/** Returns the first item, which starts the upload or prompts for a missing setting. */
function beginItem(subject: UploadSubject, settings: UploadSettings): Item {
  const unknown = settings.builds.find(({ platform }) => platform === undefined);
  if (unknown) {
    return {
      label: vscode.l10n.t('Select Platform for {0}…', toQuickPickText(basename(unknown.path))),
      iconPath: new vscode.ThemeIcon('question'),
      change: () => withPlatform(subject, settings, unknown),
    };
  }
  const repeated = repeatedBuild(settings);
  if (repeated) {
    return {
      label: vscode.l10n.t('Select Other Builds…'),
      iconPath: new vscode.ThemeIcon('warning'),
      detail: vscode.l10n.t(
        '{0} and another build are both for {1}. A version can have only one build for each platform.',
        toQuickPickText(basename(repeated.path)),
        formatPlatform(repeated.platform ?? 'any'),
      ),
      change: async () => ({ ...settings, builds: await findOtherBuild(subject, settings.builds) }),
    };
  }
  const problem = findVersionProblem(subject, settings);
  if (problem !== undefined) {
    return {
      label: vscode.l10n.t('Select Another Version…'),
      iconPath: new vscode.ThemeIcon('warning'),
      detail: problem,
      change: async () => ({
        ...settings,
        version: await promptForVersion(subject.item, settings),
      }),
    };
  }
  return {
    label: escapeIcons(formatUpload(subject, settings)),
    iconPath: new vscode.ThemeIcon('cloud-upload'),
    detail: visibilityNote(subject),
  };
}

/**
 * Returns the reason why the version can't be uploaded with these settings; undefined if it can.
 */
export function findVersionProblem(
  { item }: UploadSubject,
  settings: UploadSettings,
): string | undefined {
  const problem = versionProblem(settings.version, item.versions, listPlatforms(settings));
  return problem && problem.kind !== 'older'
    ? formatVersionProblem(problem, vscode.l10n)
    : undefined;
}

/**
 * Returns the first build with the same platform as an earlier build. A version can contain only
 * one build per platform.
 */
export function repeatedBuild({ builds }: UploadSettings): PreparedBuild | undefined {
  return builds.find(
    ({ platform }, index) =>
      platform !== undefined && builds.findIndex((one) => one.platform === platform) < index,
  );
}

/**
 * Returns a note if the manifest specifies a different visibility, because an upload doesn't change
 * the visibility.
 */
function visibilityNote({ item, file }: UploadSubject): string {
  const manifestVisibility = file?.manifest.visibility;
  if (manifestVisibility === undefined || manifestVisibility === item.visibility) return '';
  return vscode.l10n.t(
    'The module\'s visibility remains {0}, but the manifest specifies {1}. To change it, run "Update Module Metadata".',
    formatVisibility(item.visibility),
    formatVisibility(manifestVisibility),
  );
}

function versionItem({ item }: UploadSubject, settings: UploadSettings): Item {
  return {
    label: vscode.l10n.t('Version: {0}', settings.version),
    iconPath: new vscode.ThemeIcon('tag'),
    description: versionNote(item.versions, settings.version),
    change: async () => ({ ...settings, version: await promptForVersion(item, settings) }),
  };
}

/**
 * Returns a note that lists an existing version's archives, because all archives must be built from
 * the same sources.
 */
function versionNote(versions: readonly RegistryVersion[], version: string): string {
  const there = versions.find((one) => one.version === version);
  if (there) {
    const files = there.files.map(({ platform, uploadedAt }) => {
      const name = formatPlatform(platform);
      return uploadedAt ? `${name} (${formatDateTime(uploadedAt)})` : name;
    });
    return vscode.l10n.t('already has {0}', formatList(files));
  }
  const newest = findNewestVersion(versions);
  return newest === undefined
    ? vscode.l10n.t('the first version')
    : vscode.l10n.t('latest version: {0}', newest);
}

function buildItem(subject: UploadSubject, settings: UploadSettings, build: PreparedBuild): Item {
  const { platform, path, facts } = build;
  const shown = platform === undefined ? vscode.l10n.t('not known') : formatPlatform(platform);
  return {
    label: vscode.l10n.t('Platform: {0}', shown),
    iconPath: new vscode.ThemeIcon(facts.form === 'archive' ? 'file-zip' : 'folder'),
    description: `${toQuickPickText(vscode.workspace.asRelativePath(path))} · ${formatBytes(getBuildSize(build))}`,
    detail: formatMismatch(build) ?? '',
    change: () => withPlatform(subject, settings, build),
  };
}

async function withPlatform(
  { manifest }: UploadSubject,
  settings: UploadSettings,
  build: PreparedBuild,
): Promise<UploadSettings> {
  const platform = await pickPlatform(build, manifest?.build.arch ?? []);
  const found = build.facts.entrypoint?.platform;
  const chosen = { ...build, platform, expected: found === platform ? undefined : build.expected };
  return { ...settings, builds: settings.builds.map((one) => (one === build ? chosen : one)) };
}

function addItem(subject: UploadSubject, settings: UploadSettings): Item {
  return {
    label: vscode.l10n.t('Select Other Builds…'),
    iconPath: new vscode.ThemeIcon('add'),
    change: async () => ({ ...settings, builds: await findOtherBuild(subject, settings.builds) }),
  };
}

/**
 * Returns an item for adding the builds to the newest version, because a version's platforms can be
 * uploaded separately.
 */
function joinItem({ item }: UploadSubject, settings: UploadSettings): readonly Item[] {
  const newest = findNewestVersion(item.versions);
  const platforms = listPlatforms(settings);
  const isOther = newest !== undefined && newest !== settings.version && platforms.length > 0;
  if (!isOther || versionProblem(newest, item.versions, platforms)) return [];
  return [
    {
      label: vscode.l10n.t(
        'Add {0} to {1} instead',
        formatList(platforms.map(formatPlatform)),
        newest,
      ),
      iconPath: new vscode.ThemeIcon('git-merge'),
      change: () => Promise.resolve({ ...settings, version: newest }),
    },
  ];
}

function formatMismatch({ platform, expected, facts }: PreparedBuild): string | undefined {
  const found = facts.entrypoint?.platform;
  if (expected === undefined || found === undefined) return undefined;
  return platform === found
    ? vscode.l10n.t(
        'Expected {0}, but the entrypoint runs on {1}.',
        formatPlatform(expected),
        found,
      )
    : vscode.l10n.t('The entrypoint runs on {0}.', found);
}

/** Like `formatMismatch`, with the path of the entrypoint; undefined if there is no mismatch. */
function formatEntrypointMismatch(
  { platform, expected, facts }: PreparedBuild,
  path: string,
): string | undefined {
  const found = facts.entrypoint?.platform;
  if (expected === undefined || found === undefined) return undefined;
  return platform === found
    ? vscode.l10n.t(
        'Expected {0}, but the entrypoint "{1}" runs on {2}.',
        formatPlatform(expected),
        path,
        found,
      )
    : vscode.l10n.t('The entrypoint "{0}" runs on {1}.', path, found);
}

/**
 * Prompts for confirmation if a build doesn't match its platform. Machines would start the
 * entrypoint, which fails because it was built for a different platform.
 */
async function confirmMismatch(build: PreparedBuild): Promise<void> {
  const { platform, path, facts } = build;
  const mismatch = formatEntrypointMismatch(build, toDisplayText(facts.entrypoint?.path ?? ''));
  if (mismatch === undefined || platform === undefined) return;
  await confirm(
    vscode.l10n.t('Upload {0} for {1}?', toDisplayText(basename(path)), formatPlatform(platform)),
    mismatch,
    vscode.l10n.t('Upload for {0}', formatPlatform(platform)),
  );
}

/** Adds a build for another platform, or removes a build. Throws `canceled`. */
async function findOtherBuild(
  subject: UploadSubject,
  builds: readonly PreparedBuild[],
): Promise<readonly PreparedBuild[]> {
  const items = [
    { label: vscode.l10n.t('Add Archive (.tar.gz)…'), form: 'archive' as const },
    { label: vscode.l10n.t('Add Folder (Packed Automatically)…'), form: 'folder' as const },
    ...(builds.length < 2 ? [] : builds).map((build) => ({
      label: vscode.l10n.t('Exclude {0}', toQuickPickText(basename(build.path))),
      description: build.platform ?? '',
      build,
    })),
  ];
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Builds'),
    placeholder: vscode.l10n.t('One build for each platform'),
  });
  if ('build' in chosen) return builds.filter((build) => build !== chosen.build);
  const path = await pickBuild(chosen.form, subject.file);
  const added = await inspectBuilds(subject, [{ path }]);
  return [...builds.filter((build) => build.path !== path), ...added];
}
