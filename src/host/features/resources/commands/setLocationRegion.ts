import * as vscode from 'vscode';
import type { LocationTarget } from '../../../../core/model/resourceTarget';
import type { FleetTools } from '../../../platform/fleetTools';
import { resolveTarget } from '../../../platform/resolveTarget';
import { promptForSetting } from '../promptForSetting';
import { currentLocation } from './locationCommands';

/** Returns the prompt of the input box for a region. */
export function regionPrompt(): string {
  return vscode.l10n.t('Region for new data. Leave empty to let the service choose.');
}

/** Sets the region of a location. */
export async function setLocationRegion(
  tools: FleetTools,
  given: LocationTarget | undefined,
): Promise<void> {
  const { target, stores } = await resolveTarget(tools, 'location', given, 'administer');
  const location = await currentLocation(stores, target);
  await promptForSetting({
    title: vscode.l10n.t('Region for Location "{0}"', location.name),
    prompt: regionPrompt(),
    current: location.region,
    submit: async (region) => {
      await stores.locations.setRegion(location, region);
    },
  });
}
