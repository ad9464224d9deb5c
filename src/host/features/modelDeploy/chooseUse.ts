import * as vscode from 'vscode';
import { FleetError } from '../../../core/api/errors';
import { registryItemId } from '../../../core/model/ids';
import type { RegistryItem } from '../../../core/model/registryItem';
import type { PartTarget } from '../../../core/model/resourceTarget';
import {
  listRunners,
  type ModelFiles,
  type ModelRunner,
  publicRunner,
  runnersIn,
} from '../../../core/modules/deploy/modelService';
import type { FleetStores } from '../../../core/stores/fleetStores';
import { pickOne } from '../../platform/prompts/prompts';
import { toQuickPickText } from '../../platform/text/displayText';
import { formatModelFramework } from '../../platform/text/registryText';

/** Additions to a config other than the model's package. */
export interface ModelUse {
  readonly runner: ModelRunner;
  /** Module that contains the runner; undefined if the config already has it. */
  readonly module: RegistryItem | undefined;
  readonly withVision: boolean;
}

interface RunnerItem extends vscode.QuickPickItem {
  readonly use?: Omit<ModelUse, 'withVision'>;
}

/**
 * Prompts for a vision service and a runner for the model. The runner is either one that the
 * machine already has or a module from the registry. Throws `canceled`.
 * @returns undefined if the user wants only the files
 */
export async function chooseUse(
  stores: FleetStores,
  target: PartTarget,
  configText: string,
  files: ModelFiles,
  title: string,
): Promise<ModelUse | undefined> {
  const items = runnerItems(stores, target, configText, files);
  const placeholder = vscode.l10n.t(
    'Select the service that runs the model on the machine. The model has the format {0}',
    formatModelFramework(files.framework),
  );
  const { use } = await pickOne(items, { title, placeholder });
  return use && { ...use, withVision: await pickVision(title) };
}

async function pickVision(title: string): Promise<boolean> {
  const items = [
    {
      label: vscode.l10n.t('Model Service and Vision Service'),
      detail: vscode.l10n.t('The vision service runs the model on camera images'),
      withVision: true,
    },
    { label: vscode.l10n.t('Model Service Only'), withVision: false },
  ];
  const placeholder = vscode.l10n.t('Which services do you want to add to the machine?');
  return (await pickOne(items, { title, placeholder })).withVision;
}

async function runnerItems(
  stores: FleetStores,
  { organizationId }: PartTarget,
  configText: string,
  { framework }: ModelFiles,
): Promise<readonly RunnerItem[]> {
  const inUse = runnersIn(configText, vscode.l10n);
  const [own, published, usual] = await Promise.all([
    stores.registry.list(organizationId),
    stores.registry.searchAll({ types: ['module'], searchText: 'mlmodel' }),
    usualModule(stores, publicRunner(framework)),
  ]);
  const modules = new Map(
    [...(usual ? [usual] : []), ...own, ...published].map((item) => [item.id, item]),
  );
  const runners = [
    ...inUse.map((runner) => runnerItem(runner, undefined)),
    ...[...modules.values()].flatMap((item) =>
      listRunners(item)
        .filter(({ model }) => !inUse.some((one) => one.model === model))
        .map((runner) => runnerItem(runner, item)),
    ),
  ];
  const detail =
    runners.length === 0
      ? vscode.l10n.t('Neither this computer nor the registry has a module that runs models')
      : vscode.l10n.t('You select the service that reads the files');
  return [...runners, { label: vscode.l10n.t('Files Only'), detail }];
}

/** Returns the public module for a format, if the registry has it. */
async function usualModule(
  { registry }: FleetStores,
  runner: ModelRunner | undefined,
): Promise<RegistryItem | undefined> {
  if (runner?.moduleId === undefined) return undefined;
  try {
    return await registry.get(registryItemId(runner.moduleId));
  } catch (error) {
    if (error instanceof FleetError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

function runnerItem(runner: ModelRunner, module: RegistryItem | undefined): RunnerItem {
  return {
    label: toQuickPickText(runner.model),
    description: module
      ? toQuickPickText(vscode.l10n.t('from the module {0}', module.id))
      : vscode.l10n.t('already runs models on this machine'),
    use: { runner, module },
  };
}
