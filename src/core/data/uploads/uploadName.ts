/** How an uploaded file is called: its name without the last extension, and that with its period. */
export interface UploadName {
  readonly fileName: string;
  readonly fileExtension: string;
}

/**
 * The name of a file as the service takes it (FileUploadFromPath of the spec): `my.file.tar.gz` is
 * `my.file.tar` and `.gz`. A name without extension, one that only begins with a period (`.profile`) and
 * one that only ends with it are names as a whole, as the public clients have it. Folders are left out.
 */
export function uploadName(path: string): UploadName {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const period = name.lastIndexOf('.');
  const isExtension = period > 0 && period < name.length - 1;
  return isExtension
    ? { fileName: name.slice(0, period), fileExtension: name.slice(period) }
    : { fileName: name, fileExtension: '' };
}
