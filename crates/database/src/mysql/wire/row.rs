//! Rows of prepared statements as typed values, and the first text of any row.
use super::{ProtocolError, Result, SHORT, response::Column};
use crate::session::Value;
use mysql_common::{constants::ColumnType, io::ParseBuf};
use std::{io::Write, str};

/// The most columns of a row; no statement here has more.
const COLUMNS: usize = 32;
/// Bytes of `2026-11-22 03:40:00`, with room for a year of five digits.
const DATE: usize = 20;

/// Parses a row of a prepared statement and passes its values on.
#[inline]
pub(in crate::mysql) fn read_row(
    payload: &[u8],
    columns: &[Column],
    take: &mut dyn FnMut(&[Value<'_>]),
) -> Result<()> {
    if columns.len() > COLUMNS {
        return Err(ProtocolError("more columns than any query has"));
    }
    let mut fields = ParseBuf(payload);
    fields.checked_eat_u8().ok_or(SHORT)?;
    // The first two bits of the NULL bitmap are not used.
    let nulls = fields.checked_eat((columns.len() + 2).div_ceil(8)).ok_or(SHORT)?;
    let mut dates = [[0; DATE]; COLUMNS];
    let mut values = [Value::Null; COLUMNS];
    for (at, (column, date)) in columns.iter().zip(&mut dates).enumerate() {
        let bit = at + 2;
        if nulls[bit / 8] >> (bit % 8) & 1 == 0 {
            values[at] = value(&mut fields, *column, date)?;
        }
    }
    if !fields.is_empty() {
        return Err(ProtocolError("a row longer than its columns"));
    }
    take(&values[..columns.len()]);
    Ok(())
}

fn value<'a>(
    fields: &mut ParseBuf<'a>,
    column: Column,
    date: &'a mut [u8; DATE],
) -> Result<Value<'a>> {
    use ColumnType::*;
    let signed = !column.unsigned;
    let int = match column.column_type {
        MYSQL_TYPE_TINY if signed => fields.checked_eat_i8().map(i64::from),
        MYSQL_TYPE_TINY => fields.checked_eat_u8().map(i64::from),
        MYSQL_TYPE_SHORT | MYSQL_TYPE_YEAR if signed => fields.checked_eat_i16_le().map(i64::from),
        MYSQL_TYPE_SHORT | MYSQL_TYPE_YEAR => fields.checked_eat_u16_le().map(i64::from),
        MYSQL_TYPE_LONG | MYSQL_TYPE_INT24 if signed => fields.checked_eat_i32_le().map(i64::from),
        MYSQL_TYPE_LONG | MYSQL_TYPE_INT24 => fields.checked_eat_u32_le().map(i64::from),
        MYSQL_TYPE_LONGLONG => {
            let number = fields.checked_eat_i64_le().ok_or(SHORT)?;
            return Ok(match number {
                0.. => Value::Int(number),
                _ if signed => Value::Int(number),
                _ => Value::Real(number.cast_unsigned() as f64),
            });
        }
        MYSQL_TYPE_FLOAT => {
            return fields.checked_eat_f32_le().map(|x| Value::Real(x.into())).ok_or(SHORT);
        }
        MYSQL_TYPE_DOUBLE => return fields.checked_eat_f64_le().map(Value::Real).ok_or(SHORT),
        MYSQL_TYPE_DECIMAL | MYSQL_TYPE_NEWDECIMAL => {
            let number = text(fields)?.parse();
            return number.map(Value::Real).map_err(|_| ProtocolError("a malformed decimal"));
        }
        MYSQL_TYPE_DATE | MYSQL_TYPE_DATETIME | MYSQL_TYPE_TIMESTAMP => {
            let day_only = column.column_type == MYSQL_TYPE_DATE;
            return date_text(fields.checked_eat_u8_str().ok_or(SHORT)?, day_only, date);
        }
        MYSQL_TYPE_NULL => return Ok(Value::Null),
        MYSQL_TYPE_TIME => return Err(ProtocolError("a time of day, which no query selects")),
        _ => return text(fields).map(Value::Text),
    };
    int.map(Value::Int).ok_or(SHORT)
}

/// A date in its text form. Fractions of a second are left out.
fn date_text<'a>(bytes: &[u8], day_only: bool, date: &'a mut [u8; DATE]) -> Result<Value<'a>> {
    let mut fields = ParseBuf(bytes);
    let year = if bytes.is_empty() { 0 } else { fields.checked_eat_u16_le().ok_or(SHORT)? };
    let [month, day, hour, minute, second] = match *fields.0 {
        [] => [0; 5],
        [month, day] => [month, day, 0, 0, 0],
        [month, day, hour, minute, second, ..] => [month, day, hour, minute, second],
        _ => return Err(SHORT),
    };
    let mut rest = &mut date[..];
    let written = match day_only {
        true => write!(rest, "{year:04}-{month:02}-{day:02}"),
        false => write!(rest, "{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
    };
    written.map_err(|_| ProtocolError("a malformed date"))?;
    let length = DATE - rest.len();
    Ok(Value::Text(str::from_utf8(&date[..length]).unwrap_or_default()))
}

/// The first two texts of a row of a text query; empty for NULL and for columns that are not there.
pub(in crate::mysql) fn pair_of_texts(payload: &[u8]) -> Result<(String, String)> {
    let mut fields = ParseBuf(payload);
    let mut next = || match fields.0.first() {
        None => Ok(String::new()),
        Some(0xfb) => {
            fields.0 = &fields.0[1..];
            Ok(String::new())
        }
        Some(_) => {
            let bytes = fields.checked_eat_lenenc_str().ok_or(SHORT)?;
            Ok(String::from_utf8_lossy(bytes).into_owned())
        }
    };
    Ok((next()?, next()?))
}

/// The text in a row's first column; `None` for NULL.
#[inline]
pub(in crate::mysql) fn first_text(payload: &[u8], binary: bool) -> Result<Option<&str>> {
    let mut fields = ParseBuf(payload);
    if binary {
        let [_, nulls] = fields.checked_eat(2).ok_or(SHORT)? else { return Err(SHORT) };
        if nulls & 0b100 != 0 {
            return Ok(None);
        }
    } else if payload.first() == Some(&0xfb) {
        return Ok(None);
    }
    text(&mut fields).map(Some)
}

#[inline]
fn text<'a>(fields: &mut ParseBuf<'a>) -> Result<&'a str> {
    let bytes = fields.checked_eat_lenenc_str().ok_or(SHORT)?;
    str::from_utf8(bytes).map_err(|_| ProtocolError("a text that is not UTF-8"))
}
