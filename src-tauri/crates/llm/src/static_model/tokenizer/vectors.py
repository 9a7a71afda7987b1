"""Makes `vectors.json`: a small vocabulary and texts cut by Hugging Face's own `tokenizers`. Run by hand: `python3 vectors.py > vectors.json`."""

import json

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

WORDS = ["[UNK]", "cost", "costs", "storage", "ec2", "un", "##aff", "##able", "##s", "cafe", "naive", "strasse", "straße", "привет", "и", "##и", "日", "本",
         "!", "?", ".", ",", "-", "—", "«", "»", "$", "€", "12", "##3", "##4", "a", "b", "c", "##a", "##b", "##c", "viet", "nam", "ο", "##ι", "한", "##국",
         "ᄒ", "##ᅡ", "##ᆫ", "##ᄀ", "##ᅮ", "##ᆨ", "i", "##n", "##̇", "\u0301"]
TEXTS = ["Costs of STORAGE!", "unaffables", "Café naïve cafe\u0301", "日本 cost日本", "1234 $12 €12", "«привет» Й й ё", "STRASSE Straße", "a\u200bb\u00a0c\tabc",
         "Việt Nam", "οι", "한국", "EC2—costs, cost-cost?", "İn in", "a\u0000b\ufffdc", "", "   ", "xyz cost", "a\u00adb", "\u3000cost\u2028costs", "c\u0301\u0327!¿"]

tokenizer = Tokenizer(models.WordPiece({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
tokenizer.normalizer = normalizers.BertNormalizer()
tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
rows = [{"text": text, "tokens": [token for token in tokenizer.encode(text).ids if token != 0]} for text in TEXTS]
print(json.dumps({"tokenizer": json.loads(tokenizer.to_str()), "rows": rows}, ensure_ascii=True, indent=1))
