import { CommandFeature } from '../../platform/commandFeature';
import type { GenerateTools } from './generateModule';

/** Makes new modules from templates. What does it is loaded when it is asked for. */
export class ModuleGenerateFeature extends CommandFeature {
  constructor(tools: GenerateTools) {
    super(tools.commands);
    this.command('fleetwright.module.generate', async () => {
      const { generateModule } = await import('./generateModule');
      await generateModule(tools);
    });
  }
}
