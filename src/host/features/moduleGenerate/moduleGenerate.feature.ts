import { CommandFeature } from '../../platform/commandFeature';
import type { GenerateTools } from './generateModule';

/** Generates modules from templates, and adds models to them. Loaded when a command runs. */
export class ModuleGenerateFeature extends CommandFeature {
  constructor(tools: GenerateTools) {
    super(tools.commands);
    this.command('fleetwright.module.generate', async () => {
      const { generateModule } = await import('./generateModule');
      await generateModule(tools);
    });
    this.command('fleetwright.module.addModel', async (manifest) => {
      const { addModelToModule } = await import('./addModelToModule');
      await addModelToModule(tools.extensionUri, manifest);
    });
  }
}
