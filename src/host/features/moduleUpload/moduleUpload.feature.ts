import { CommandFeature } from '../../platform/commandFeature';
import { ActiveUploads } from './activeUploads';
import type { ModuleUploadTools } from './uploadTools';

/** Publishes builds of modules, and training scripts. Loaded on first use. */
export class ModuleUploadFeature extends CommandFeature {
  constructor(options: Omit<ModuleUploadTools, 'activeUploads'>) {
    super(options.commands);
    const tools: ModuleUploadTools = { ...options, activeUploads: new ActiveUploads() };
    this.command('fleetwright.module.uploadBuild', async (given) => {
      const { uploadBuild } = await import('./uploadBuild');
      await uploadBuild(tools, given);
    });
    this.command('fleetwright.module.repeatUpload', async (given) => {
      const { repeatUpload } = await import('./repeatUpload');
      await repeatUpload(tools, given);
    });
    this.command('fleetwright.trainingScript.upload', async (given) => {
      const { uploadScript } = await import('./trainingScript/uploadScript');
      await uploadScript(tools, given);
    });
  }
}
