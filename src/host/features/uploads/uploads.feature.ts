import { CommandFeature } from '../../platform/commandFeature';
import type { FindUploads, OfferUpload } from '../../platform/uploadOffer';
import { uploadReadingsOf } from './readings/uploadReadingsOf';
import { askFiles, offerUpload, search, uploadFiles } from './uploadFiles';
import type { UploadTools } from './uploadTools';

/** Puts files and readings of this machine into the fleet's data. */
export class UploadsFeature extends CommandFeature {
  /** For files that come another way, such as dropped ones. */
  readonly offer: OfferUpload;
  readonly find: FindUploads = async (uris) => search(uris ?? (await askFiles()));

  constructor(tools: UploadTools) {
    super(tools.commands);
    this.offer = (offer) => offerUpload(tools, offer);
    this.command('fleetwright.data.uploadFiles', (...given) => uploadFiles(tools, given));
    this.command('fleetwright.data.uploadReadings', (...given) => uploadReadingsOf(tools, given));
  }
}
