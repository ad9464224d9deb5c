import { CommandFeature } from '../../platform/commands/commandRegistry';
import { type DeployOptions, deployTools } from '../../platform/deploy/deployTools';
import type { FleetTools } from '../../platform/fleetTools';
import type { GenerateTools } from './generate/generateModule';
import { ActiveUploads, type ModuleUploadTools } from './upload/uploadTools';

/** Registers modules, and updates their registry entries. Loaded on first use. */
export class ModuleCommandsFeature extends CommandFeature {
  constructor(tools: FleetTools) {
    super(tools.commands);
    this.command('fleetwright.module.create', async (manifest) => {
      const { createModule } = await import('./commands/createModule');
      await createModule(tools, manifest);
    });
    this.command('fleetwright.module.update', async (manifest) => {
      const { updateModule } = await import('./commands/updateModule');
      await updateModule(tools, manifest);
    });
  }
}

/** Generates modules from templates, and adds models to them. Loaded when a command runs. */
export class ModuleGenerateFeature extends CommandFeature {
  constructor(tools: GenerateTools) {
    super(tools.commands);
    this.command('fleetwright.module.generate', async () => {
      const { generateModule } = await import('./generate/generateModule');
      await generateModule(tools);
    });
    this.command('fleetwright.module.addModel', async (manifest) => {
      const { addModelToModule } = await import('./generate/addModelToModule');
      await addModelToModule(tools.extensionUri, manifest);
    });
  }
}

/** Publishes builds of modules, and training scripts. Loaded on first use. */
export class ModuleUploadFeature extends CommandFeature {
  constructor(options: Omit<ModuleUploadTools, 'activeUploads'>) {
    super(options.commands);
    const tools: ModuleUploadTools = { ...options, activeUploads: new ActiveUploads() };
    this.command('fleetwright.module.uploadBuild', async (argument) => {
      const { uploadBuild } = await import('./upload/uploadCommands');
      await uploadBuild(tools, argument);
    });
    this.command('fleetwright.module.repeatUpload', async (argument) => {
      const { repeatUpload } = await import('./upload/uploadCommands');
      await repeatUpload(tools, argument);
    });
    this.command('fleetwright.trainingScript.upload', async (argument) => {
      const { uploadScript } = await import('./upload/uploadScript');
      await uploadScript(tools, argument);
    });
  }
}

/** Deploys registry modules to machines, as edits to their configs that the user reviews. */
export class ModuleDeployFeature extends CommandFeature {
  constructor(options: DeployOptions) {
    super(options.commands);
    const tools = deployTools(options);
    this.command('fleetwright.module.deploy', async (argument, version) => {
      const { deployToMachine } = await import('./deploy/deployToMachine');
      await deployToMachine(tools, argument, version);
    });
  }
}
