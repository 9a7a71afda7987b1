import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import type { Picture } from './difference';

/** How much smaller pictures are kept. */
const scale = 4;

/** Reads and writes pictures with the codecs of a browser, on an empty page of it. */
export class Codec {
  constructor(private readonly page: Page) {}

  /** A screenshot scaled down: each pixel is the mean of a square. */
  scaledDown(screenshot: Buffer): Promise<Picture> {
    return this.decode(screenshot, 'image/png', scale);
  }

  /** The picture kept in `file`; none when there is no such file. */
  async read(file: string): Promise<Picture | undefined> {
    return existsSync(file) ? this.decode(readFileSync(file), 'image/webp', 1) : undefined;
  }

  /** Keeps a picture in `file`, in some ten kilobytes: without loss but for steps of eight between shades, which the tolerance is above. */
  async write(file: string, picture: Picture): Promise<void> {
    const { width, height, rgb } = picture;
    const encoded = await this.page.evaluate(
      async ({ width, height, base64 }) => {
        const rgb = Uint8Array.from(atob(base64), (letter) => Math.min(255, Math.round(letter.charCodeAt(0) / 8) * 8));
        const image = new ImageData(width, height);
        for (let pixel = 0; pixel < width * height; pixel++)
          image.data.set([...rgb.subarray(pixel * 3, pixel * 3 + 3), 255], pixel * 4);
        const canvas = new OffscreenCanvas(width, height);
        canvas.getContext('2d')?.putImageData(image, 0, 0);
        const bytes = new Uint8Array(
          await (await canvas.convertToBlob({ type: 'image/webp', quality: 1 })).arrayBuffer(),
        );
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      },
      { width, height, base64: Buffer.from(rgb).toString('base64') },
    );
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(encoded, 'base64'));
  }

  private async decode(bytes: Buffer, type: string, scale: number): Promise<Picture> {
    const { width, height, base64 } = await this.page.evaluate(
      async ({ base64, type, scale }) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const whole = await createImageBitmap(new Blob([bytes], { type }), { colorSpaceConversion: 'none' });
        const [width, height] = [Math.floor(whole.width / scale), Math.floor(whole.height / scale)];
        // Halved and halved again: each pixel is the mean of its square.
        const image = await createImageBitmap(whole, {
          resizeWidth: width,
          resizeHeight: height,
          resizeQuality: 'medium',
        });
        const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
        context?.drawImage(image, 0, 0);
        const data = context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
        const rgb = data.filter((_, at) => at % 4 !== 3);
        return { width, height, base64: btoa(Array.from(rgb, (byte) => String.fromCharCode(byte)).join('')) };
      },
      { base64: bytes.toString('base64'), type, scale },
    );
    return { width, height, rgb: new Uint8Array(Buffer.from(base64, 'base64')) };
  }
}
