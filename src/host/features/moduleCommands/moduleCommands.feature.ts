import { CommandFeature } from '../../platform/commandFeature';
import type { FleetTools } from '../../platform/fleetTools';

/** Registers modules, and updates their registry entries. Loaded on first use. */
export class ModuleCommandsFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.module.create', async (manifest) => {
      const { createModule } = await import('./createModule');
      await createModule(tools, manifest);
    });
    this.command('fleetwright.module.update', async (manifest) => {
      const { updateModule } = await import('./updateModule');
      await updateModule(tools, manifest);
    });
  }
}
