import { basename } from 'node:path';
import * as vscode from 'vscode';
import { toDisplayText } from '../../../../core/model/displayText';
import type { RegistryItem } from '../../../../core/model/registryItem';
import { type Platform, PLATFORMS } from '../../../../core/modules/platforms';
import type { PreparedBuild } from '../../../../core/modules/upload/preparedBuild';
import {
  findNewestVersion,
  formatVersionProblem,
  type VersionProblem,
  versionProblem,
} from '../../../../core/modules/upload/versionProblem';
import {
  inputError,
  type InputProblem,
  pickOne,
  promptForText,
} from '../../../platform/prompts/prompts';
import { toQuickPickText } from '../../../platform/text/displayText';
import { formatPlatform } from '../../../platform/text/registryText';

/** Builds to upload and their version. */
export interface UploadSettings {
  readonly version: string;
  readonly builds: readonly PreparedBuild[];
}

/** Returns the platforms of an upload's builds, omitting unknown platforms. */
export function listPlatforms({ builds }: Pick<UploadSettings, 'builds'>): readonly Platform[] {
  return builds.map(({ platform }) => platform).filter((platform) => platform !== undefined);
}

/**
 * Returns the number of bytes to read. For a folder, this number exceeds the number of bytes sent.
 */
export function getBuildSize({ facts }: PreparedBuild): number {
  return facts.archiveBytes ?? facts.bytes;
}

/** Prompts for a version, with the current one as the default. Throws `canceled`. */
export async function promptForVersion(
  item: RegistryItem,
  settings: UploadSettings,
): Promise<string> {
  const newest = findNewestVersion(item.versions);
  const answer = await promptForText({
    title: vscode.l10n.t('Version'),
    prompt:
      newest === undefined
        ? vscode.l10n.t('{0} has no versions yet.', toDisplayText(item.id))
        : vscode.l10n.t('The latest version of {0} is {1}.', toDisplayText(item.id), newest),
    value: settings.version,
    validate: (text) =>
      inputProblem(versionProblem(text.trim(), item.versions, listPlatforms(settings))),
  });
  return answer.trim();
}

function inputProblem(problem: VersionProblem | undefined): InputProblem | undefined {
  if (!problem) return undefined;
  const message = formatVersionProblem(problem, vscode.l10n);
  return problem.kind === 'older' ? { message, severity: 'warning' } : inputError(message);
}

/** Prompts for a build's platform. Lists the manifest's platforms first. Throws `canceled`. */
export async function pickPlatform(
  { path, facts, platform }: PreparedBuild,
  arch: readonly string[],
): Promise<Platform> {
  const found = facts.entrypoint?.platform;
  const rank = (one: Platform): number => {
    const ranks = [one === platform, one === found, arch.includes(one)];
    return ranks.includes(true) ? ranks.indexOf(true) : ranks.length;
  };
  const items = PLATFORMS.toSorted((one, other) => rank(one) - rank(other)).map((one) => ({
    label: formatPlatform(one),
    platform: one,
    description: [
      ...(one === found ? [vscode.l10n.t('platform of the entrypoint')] : []),
      ...(arch.includes(one) ? [vscode.l10n.t('from the manifest')] : []),
    ].join(' · '),
  }));
  const chosen = await pickOne(items, {
    title: vscode.l10n.t('Platform'),
    placeholder: vscode.l10n.t('Which platform is {0} for?', toQuickPickText(basename(path))),
  });
  return chosen.platform;
}
