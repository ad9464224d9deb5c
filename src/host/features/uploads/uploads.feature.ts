import { CommandFeature } from '../../platform/commandFeature';
import type { FindUploads, OfferUpload } from '../../platform/uploadOffer';
import type { UploadTools } from './uploadTools';

// Loaded when there is something to upload.
const uploadFiles = () => import('./uploadFiles');
const uploadReadingsOf = () => import('./readings/uploadReadingsOf');

/** Puts files and readings of this machine into the fleet's data. */
export class UploadsFeature extends CommandFeature {
  /** For files that come another way, such as dropped ones. */
  readonly offer: OfferUpload;
  readonly find: FindUploads = async (uris) => {
    const { askFiles, search } = await uploadFiles();
    return search(uris ?? (await askFiles()));
  };

  constructor(tools: UploadTools) {
    super(tools.commands);
    this.offer = async (offer) => (await uploadFiles()).offerUpload(tools, offer);
    this.command('fleetwright.data.uploadFiles', async (...given) =>
      (await uploadFiles()).uploadFiles(tools, given),
    );
    this.command('fleetwright.data.uploadReadings', async (...given) =>
      (await uploadReadingsOf()).uploadReadingsOf(tools, given),
    );
  }
}
