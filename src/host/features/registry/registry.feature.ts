import { CommandFeature } from '../../platform/commandFeature';
import type { RegistryTools } from './registryTools';

/** Actions on registry items and their versions, other than uploading them. */
export class RegistryFeature extends CommandFeature {
  constructor(tools: RegistryTools) {
    super(tools.commands);
    this.command('fleetwright.registryItem.changeVisibility', async (target) => {
      const { changeVisibility } = await import('./commands/changeVisibility');
      await changeVisibility(tools, target);
    });
    this.command('fleetwright.registryItem.changeDescription', async (target) => {
      const { changeDescription } = await import('./commands/changeTexts');
      await changeDescription(tools, target);
    });
    this.command('fleetwright.registryItem.changeUrl', async (target) => {
      const { changeUrl } = await import('./commands/changeTexts');
      await changeUrl(tools, target);
    });
    this.command('fleetwright.registryItem.create', async (target) => {
      const { createItem } = await import('./commands/createItem');
      await createItem(tools, target);
    });
    this.command('fleetwright.registryItem.delete', async (target) => {
      const { deleteItem } = await import('./commands/deleteItem');
      await deleteItem(tools, target);
    });
    this.command('fleetwright.registryVersion.delete', async (target, version) => {
      const { deleteVersion } = await import('./commands/deleteVersion');
      await deleteVersion(tools, target, version);
    });
    this.command('fleetwright.registryVersion.download', async (target, version) => {
      const { downloadVersion } = await import('./commands/downloadVersion');
      await downloadVersion(tools, target, version);
    });
  }
}
