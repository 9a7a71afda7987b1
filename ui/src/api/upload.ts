import { serviceAddress } from '@/shared/place';
import { ApiError } from './error';

/**
 * Sends a file and answers its import id. `progress` hears the bytes sent.
 *
 * XMLHttpRequest, because fetch does not tell how much of a body has left.
 */
export function upload(file: File, progress: (sent: number) => void, signal: AbortSignal): Promise<string> {
  const path = serviceAddress(`/api/imports?name=${encodeURIComponent(file.name)}`);
  return new Promise((resolve, reject) => {
    const wire = new XMLHttpRequest();
    wire.open('POST', path);
    wire.upload.onprogress = (event) => {
      progress(event.loaded);
    };
    wire.onload = () => {
      const body = answer(wire.responseText);
      if (wire.status < 300 && body.id) resolve(body.id);
      else
        reject(
          new ApiError(
            body.error ?? `http_${String(wire.status)}`,
            body.message ?? `The service answered ${String(wire.status)}.`,
            wire.status,
            path,
          ),
        );
    };
    wire.onerror = () => {
      reject(new ApiError('offline', 'The connection broke while the file was sent. Nothing was imported.', 0, path));
    };
    wire.onabort = () => {
      reject(new ApiError('cancelled', 'Stopped. Nothing was imported.', 0, path));
    };
    signal.addEventListener('abort', () => {
      wire.abort();
    });
    wire.send(file);
  });
}

function answer(text: string): { id?: string; error?: string; message?: string } {
  try {
    return JSON.parse(text) as { id?: string; error?: string; message?: string };
  } catch {
    return {};
  }
}
