import { CommandFeature } from '../../platform/commands/commandRegistry';
import type { FindUploads, OfferUpload } from '../../platform/featureInterfaces';
import type { UploadTools } from './uploadPart';

// Loaded on the first upload.
const uploadFiles = () => import('./uploadFiles');
const loadUploadReadings = () => import('./readings/uploadReadingFiles');

/** Uploads files and readings from this computer. */
export class UploadsFeature extends CommandFeature {
  /** Uploads files from another source, such as a drag-and-drop operation. */
  readonly offer: OfferUpload;
  readonly find: FindUploads = async (uris) => {
    const { pickFiles: promptForFiles, search } = await uploadFiles();
    return search(uris ?? (await promptForFiles()));
  };

  constructor(tools: UploadTools) {
    super(tools.commands);
    this.offer = async (offer) => (await uploadFiles()).offerUpload(tools, offer);
    this.command('fleetwright.data.uploadFiles', async (...args) =>
      (await uploadFiles()).uploadFiles(tools, args),
    );
    this.command('fleetwright.data.uploadReadings', async (...args) =>
      (await loadUploadReadings()).uploadReadingFiles(tools, args),
    );
  }
}
