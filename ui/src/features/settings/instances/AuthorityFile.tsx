import { FileButton } from '@/shared';

/** Reads a certificate of one's own authority from a file. */
export function AuthorityFile({ onText }: { onText: (text: string) => void }) {
  return (
    <FileButton
      size="small"
      kind="quiet"
      label="Certificate of your own authority"
      accept=".pem,.crt,.cer"
      onFiles={([file]) => {
        if (file) void file.text().then(onText);
      }}
    >
      Add the certificate of your own authority
    </FileButton>
  );
}
