import { CommandError, systemErrorCode } from './commandError';

/** What was to be listened on, and the options that say so. */
interface Wanted {
  host: string;
  port: number;
  hostOption: string;
  portOption: string;
}

/** Says what to do when an address cannot be listened on; other errors stay what they are. */
export function listenFailure(
  error: unknown,
  { host, port, hostOption, portOption }: Wanted,
): unknown {
  const code = systemErrorCode(error);
  switch (code) {
    case 'EADDRINUSE':
      return new CommandError(
        `port ${port} of ${host} is in use by another program; stop it, or use another port ` +
          `with ${portOption} (0 takes any free one)`,
      );
    case 'EACCES':
      return new CommandError(
        `this user can't listen on port ${port} of ${host}; use a port above 1023 with ${portOption}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CommandError(
        `${host} is not an address of this computer (${code}); use another address with ${hostOption}`,
      );
    default:
      return error;
  }
}
