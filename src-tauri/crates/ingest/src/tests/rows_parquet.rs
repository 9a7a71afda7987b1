//! Bills in Parquet: exact decimals, doubles, all kinds of times, and maps.

use super::kit::House;
use crate::{Archive, State, record_at};
use parquet::basic::Compression;
use parquet::data_type::{
    ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType, Int64Type, Int96,
    Int96Type,
};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

const SCHEMA: &str = "message focus {
    required fixed_len_byte_array(16) BilledCost (DECIMAL(38, 18));
    required double EffectiveCost;
    required int64 ListCost (DECIMAL(18, 4));
    required binary BillingCurrency (UTF8);
    required binary BillingAccountId (UTF8);
    required int64 BillingPeriodStart (TIMESTAMP(MICROS, true));
    required int96 ChargePeriodStart;
    required int64 ChargePeriodEnd (TIMESTAMP(NANOS, true));
    required binary ChargeCategory (UTF8);
    required binary ServiceName (UTF8);
    required binary ProviderName (UTF8);
    optional group Tags (MAP) {
        repeated group key_value {
            required binary key (UTF8);
            optional binary value (UTF8);
        }
    }
}";
/// 2026-05-01 and the two days after it, in seconds since 1970.
const DAYS: [i64; 3] = [1_777_593_600, 1_777_680_000, 1_777_766_400];

/// A FOCUS file with `rows` rows in each of two row groups; each row costs 1.000000000000000001.
pub fn file(rows: usize, compression: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    for _ in 0..2 {
        let mut group = writer.next_row_group().unwrap();
        write(&mut group, rows);
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

fn write(group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>, rows: usize) {
    let cost = FixedLenByteArray::from(1_000_000_000_000_000_001_i128.to_be_bytes().to_vec());
    column::<FixedLenByteArrayType>(group, &vec![cost; rows]);
    column::<DoubleType>(group, &vec![0.1; rows]);
    column::<Int64Type>(group, &vec![12_500; rows]);
    for text in ["USD", "111"] {
        column::<ByteArrayType>(group, &vec![ByteArray::from(text); rows]);
    }
    column::<Int64Type>(group, &vec![DAYS[0] * 1_000_000; rows]);
    let mut julian = Int96::new();
    // Julian day 2440588 is 1970-01-01.
    julian.set_data(0, 0, u32::try_from(2_440_588 + DAYS[1] / 86_400).unwrap());
    column::<Int96Type>(group, &vec![julian; rows]);
    column::<Int64Type>(group, &vec![DAYS[2] * 1_000_000_000; rows]);
    for text in ["Usage", "Amazon EC2", "AWS"] {
        column::<ByteArrayType>(group, &vec![ByteArray::from(text); rows]);
    }
    for text in ["env", "prod"] {
        let most = if text == "env" { 2 } else { 3 };
        let mut writer = group.next_column().unwrap().unwrap();
        let values = vec![ByteArray::from(text); rows];
        writer
            .typed::<ByteArrayType>()
            .write_batch(&values, Some(&vec![most; rows]), Some(&vec![0; rows]))
            .unwrap();
        writer.close().unwrap();
    }
}

fn column<T: parquet::data_type::DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: &[T::T],
) {
    let mut writer = group.next_column().unwrap().unwrap();
    writer.typed::<T>().write_batch(values, None, None).unwrap();
    writer.close().unwrap();
}

#[test]
fn decimals_doubles_times_and_maps_are_read_exactly() {
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(parquet::basic::ZstdLevel::default()),
        Compression::GZIP(parquet::basic::GzipLevel::default()),
    ] {
        let mut house = House::new();
        house.archive = Some(Archive::new(house.folder.path().join("kept"), 1 << 30));
        let bytes = file(3, compression);
        let told = house.import(&bytes);
        assert_eq!((told.state, told.rows_written), (State::Done, 6), "{told:#?}");
        assert_eq!(told.format.as_ref().map(|format| format.id.as_str()), Some("focus"));
        assert_eq!(house.sum("billed_cost", "USD"), "6.000000000000000006");
        assert_eq!(
            (house.sum("effective_cost", "USD"), house.sum("list_cost", "USD")),
            ("0.6".to_owned(), "7.5".to_owned())
        );
        assert_eq!(
            house.rows("spends", &["source_line", "date", "period_end", "billing_period_start", "tags"], &[])
                [3],
            r#"4 | 2026-05-02T00:00:00 | 2026-05-03T00:00:00 | 2026-05-01T00:00:00 | {"env":"prod"}"#
        );
        let kept = house.archive.as_ref().unwrap().find(&told.sha256).unwrap().unwrap();
        let receipt = record_at(&kept, 4).unwrap().unwrap();
        assert!(
            receipt.columns.contains(&("BilledCost".to_owned(), "1.000000000000000001".to_owned())),
            "{receipt:?}"
        );
        assert_eq!(record_at(&kept, 7).unwrap(), None);
        assert_eq!(house.import(&bytes).state, State::Unchanged);
    }
}

#[test]
fn a_damaged_file_is_refused_in_words() {
    let whole = file(100, Compression::SNAPPY);
    for at in [20, 200, whole.len() / 2, whole.len() - 200, whole.len() - 30] {
        let mut bytes = whole.clone();
        for byte in &mut bytes[at..at + 16] {
            *byte ^= 0xa5;
        }
        let house = House::new();
        let told = house.import(&bytes);
        // Damage that only changes a value cannot be detected.
        if told.state == State::Failed {
            let message = told.error.unwrap().message;
            assert!(
                message.contains("Parquet file cannot be read") || message.contains("cannot be imported"),
                "{message}"
            );
            assert_eq!(house.count("spends"), 0);
        }
    }
    let told = House::new().import(&whole[..whole.len() - 5]);
    assert!(told.error.unwrap().found.contains("Parquet"));
}

#[test]
fn a_table_of_other_columns_is_told_by_them() {
    let schema = Arc::new(parse_message_type("message other { required double Amount; }").unwrap());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    column::<DoubleType>(&mut group, &[1.0]);
    group.close().unwrap();
    writer.close().unwrap();
    assert_eq!(House::new().import(&bytes).error.unwrap().found, "a table with the columns Amount");
}
